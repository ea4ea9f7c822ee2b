// The employees who can be planned: neither blocked nor archived. `start_date` and `end_date` limit the time.
import { prepared } from '../model/prepared.ts';
import type { RowIn } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { Employee } from '../resources/employee.ts';

type Planned = Pick<RowIn<typeof Employee>, 'id' | 'start_date' | 'end_date'>;

/** By ID; of one function, if one is given. */
export const readEmployees = (session: Session, owner: number, functionKind?: number): Promise<Planned[]> =>
  prepared(`employees to plan, ${functionKind === undefined ? 'any' : 'function'}`, (mark) =>
    Employee.ofMarked(mark)
      .select('id', 'start_date', 'end_date')
      .where({
        is_blocked: 0,
        is_archived: 0,
        ...(functionKind !== undefined && { function_kind: mark('function') }),
      })
      .orderBy('id'),
  ).rows<Planned>(session, owner, { function: functionKind ?? null });
