// The employees who can be planned: neither blocked nor archived. `start_date` and `end_date` limit the time:
// a mechanic who comes next month is planned from that day on.

import type { Garage } from '../../core/model/statements/garage.ts';
import { prepared } from '../../core/model/statements/prepared.ts';
import { Employee, type EmployeeRow } from '../../core/resources/employee.ts';
import { clip, type Interval } from '../../core/trade/time/interval.ts';
import { between } from '../../core/trade/time/working-time.ts';

type Planned = Pick<EmployeeRow, 'id' | 'start_date' | 'end_date'>;

/** The part of the interval that each of them is employed, by ID; of one function, if one is given. */
export async function readContracts(
  garage: Garage,
  within: Interval,
  functionKind?: number,
): Promise<Map<number, Interval>> {
  const rows = await prepared(
    `employees to plan, ${functionKind === undefined ? 'any' : 'function'}`,
    (mark) =>
      Employee.ofMarked(mark)
        .select('id', 'start_date', 'end_date')
        .where({
          is_blocked: 0,
          is_archived: 0,
          ...(functionKind !== undefined && { function_kind: mark('function') }),
        }),
  ).rows<Planned>(garage, { function: functionKind ?? null });
  return new Map(
    rows.map(({ id, start_date, end_date }) => [id, clip(between(start_date, end_date), within)]),
  );
}
