// An approval is of the payer of its order. Each change of an approval writes the order, so it never comes between the
// judgement of the approval and the invoice.
import { type Violation, violation } from '../../core/errors.ts';
import { claimRecord } from '../../core/model/lists/find.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import { Contact } from '../../core/resources/contact.ts';
import { LeaseApproval, type LeaseApprovalChange } from '../../core/resources/lease-approval.ts';
import { Order } from '../../core/resources/order.ts';
import { isGiven } from '../../core/trade/kinds/approval-status.ts';
import { payerOf } from '../../core/trade/payer.ts';

const PAYER = 'payer';

rulesOf(LeaseApproval, {
  rules: [isWhole, isOfPayer],
  refuses: {
    write: [
      violation('field_empty', { field: 'approved_net' }),
      violation('value_invalid', { field: 'contact_id', value: 5, validation: PAYER }),
    ],
  },
  after: writeOrder,
  afterDelete: writeOrder,
});

function isWhole({ next }: LeaseApprovalChange): Violation[] {
  if (!isGiven(next.approval_status)) return [];
  const empty = (['approved_net', 'approval_number'] as const).filter((field) => !next[field]);
  return empty.map((field) => violation('field_empty', { field }));
}

/** The payer of an order may change later: then the approval stays, and fits no more. */
async function isOfPayer({ next, previous, parent, garage }: LeaseApprovalChange) {
  const { contact_id: value } = next;
  if (!parent || value === previous?.contact_id) return undefined;
  if (value === payerOf(parent)) return undefined;
  // The check of references reports an unknown contact.
  const contact = await Contact.of(garage).select('id').findOne({ id: value });
  return contact && violation('value_invalid', { field: 'contact_id', value, validation: PAYER });
}

async function writeOrder({ next, garage }: LeaseApprovalChange): Promise<void> {
  await claimRecord(garage, Order.resource, next.order_id);
}
