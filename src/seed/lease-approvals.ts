// Approvals of orders that a lease company pays: each can be invoiced, or was invoiced with the number of its approval.
import type { LeaseApproval } from '../resources/lease-approval.ts';
import { LISTS } from '../trade/lists.ts';
import type { Sheet } from './orders.ts';
import type { Random } from './random.ts';
import type { Draft } from './writer.ts';

const { APPROVED, PARTLY, REJECTED, WITHDRAWN } = LISTS.approvalstatuses;
const { WORKSHOP } = LISTS.ordertypes;
const { CANCELLED } = LISTS.orderstatuses;

interface Approved {
  readonly sheet: Sheet;
  readonly approval: Draft<typeof LeaseApproval>;
}

/** The approvals of each order, in their order: the first request was for too much, and was made again. */
export function approveOrders(random: Random, sheets: readonly Sheet[]): Approved[] {
  return sheets.filter(needsApproval).flatMap((sheet, index) => {
    const { order, buyer } = sheet;
    const same = { contact_id: buyer.id, requested_net: order.total_net };
    const approvals: Draft<typeof LeaseApproval>[] = [
      { ...same, approval_status: REJECTED, reason: 'Banden nog boven 2,5 mm: niet akkoord' },
      { ...same, approval_status: WITHDRAWN },
      {
        ...same,
        approval_status: index % 4 === 3 ? PARTLY : APPROVED,
        approved_net: order.total_net,
        approval_number: `AK-${random.digits(7)}`,
        reason: index % 4 === 3 ? 'Ruitenwissers vervallen: zelf betalen' : null,
      },
    ];
    return approvals.map((approval) => ({ sheet, approval }));
  });
}

/** The number that the invoice of the sheet bears. */
export const approvalNumberOf = (sheet: Sheet, all: readonly Approved[]): string | null =>
  all.findLast((one) => one.sheet === sheet)?.approval.approval_number ?? null;

const needsApproval = ({ buyer, plan, credited, order }: Sheet): boolean =>
  order.order_type === WORKSHOP &&
  buyer.is_lease_company === 1 &&
  !credited &&
  plan.status !== CANCELLED &&
  Number(order.total_net) >= 0;
