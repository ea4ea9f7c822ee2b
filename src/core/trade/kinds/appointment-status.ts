// The statuses of appointments, one entry each. Without an entry, a new status of LISTS.appointmentstatuses does not
// compile.
import { LISTS, type ListValue } from '../lists.ts';

const { PLANNED, ARRIVED, STARTED, DONE, CANCELLED, NO_SHOW } = LISTS.appointmentstatuses;

const TAKES_TIME: Readonly<Record<ListValue<'appointmentstatuses'>, boolean>> = {
  [PLANNED]: true,
  [ARRIVED]: true,
  [STARTED]: true,
  [DONE]: true,
  [CANCELLED]: false,
  [NO_SHOW]: false,
};

/** The statuses of appointments that take time of their employee and their workplace. */
export const TAKING_TIME: readonly number[] = Object.values(LISTS.appointmentstatuses).filter(
  (status) => TAKES_TIME[status],
);
