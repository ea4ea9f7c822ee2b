// The employees who can be planned: neither blocked nor archived. `start_date` and `end_date` limit the time.

import type { Garage } from '../model/garage.ts';
import { prepared } from '../model/prepared.ts';
import { Employee, type EmployeeRow } from '../resources/employee.ts';

type Planned = Pick<EmployeeRow, 'id' | 'start_date' | 'end_date'>;

/** By ID; of one function, if one is given. */
export const readEmployees = (garage: Garage, functionKind?: number): Promise<Planned[]> =>
  prepared(`employees to plan, ${functionKind === undefined ? 'any' : 'function'}`, (mark) =>
    Employee.ofMarked(mark)
      .select('id', 'start_date', 'end_date')
      .where({
        is_blocked: 0,
        is_archived: 0,
        ...(functionKind !== undefined && { function_kind: mark('function') }),
      })
      .orderBy('id'),
  ).rows<Planned>(garage, { function: functionKind ?? null });
