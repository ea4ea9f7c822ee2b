// A lease company pays what it has approved. Its approval is judged when the order becomes an invoice.
import { type Violation, violation } from '../errors.ts';
import { decimalValue } from '../model/fragment.ts';
import { LeaseApproval } from '../resources/lease-approval.ts';
import type { OrderChange } from '../resources/order.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseNow } from '../trade/timestamp.ts';
import type { Parties } from './invoice-parties.ts';

const { APPROVED, PARTLY, WITHDRAWN } = LISTS.approvalstatuses;

/** Whether the order may be invoiced, and the number of the approval that the invoice bears. */
interface Judgement {
  readonly refused: readonly Violation[];
  readonly number: string | null;
}

const FREE: Judgement = { refused: [], number: null };

/** An order without an approval is invoiced like any other. If several approvals fit, the latest counts. */
export async function judgeApproval({ next, garage }: OrderChange, { buyer }: Parties): Promise<Judgement> {
  if (buyer.is_lease_company !== 1) return FREE;
  const approvals = LeaseApproval.of(garage)
    .where('order_id', next.id)
    .whereNot('approval_status', WITHDRAWN);
  const fitting = await approvals
    .clone()
    .select('approval_number')
    .where('contact_id', buyer.id)
    .whereIn('approval_status', [APPROVED, PARTLY])
    .where('approved_net', decimalValue(String(next.total_net)))
    .where((valid) => valid.whereNull('valid_until').orWhere('valid_until', '>', databaseNow()))
    .orderBy('id', 'desc')
    .first();
  if (fitting) return { refused: [], number: fitting.approval_number };
  if (!(await approvals.select('id').first())) return FREE;
  return { refused: [unapproved(Number(next.total_net))], number: null };
}

const unapproved = (value: number): Violation =>
  violation('value_invalid', { field: 'total_net', value, validation: 'lease approval' });
