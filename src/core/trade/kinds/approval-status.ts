// The statuses of lease approvals, one entry each. Without an entry, a new status of LISTS.approvalstatuses does not
// compile.
import { LISTS, type ListValue, rowOf } from '../lists.ts';

const { DRAFT, SENT, APPROVED, PARTLY, REJECTED, WITHDRAWN } = LISTS.approvalstatuses;

const IS_GIVEN: Readonly<Record<ListValue<'approvalstatuses'>, boolean>> = {
  [DRAFT]: false,
  [SENT]: false,
  [APPROVED]: true,
  [PARTLY]: true,
  [REJECTED]: false,
  [WITHDRAWN]: false,
};

/** Whether the lease company has approved an amount. */
export const isGiven = (status: number): boolean => rowOf('approvalstatuses', IS_GIVEN, status);
