// The approval by a lease company of an order that it pays.
import { choice, money, reference, text, timestamp, varchar } from '../model/fields/field.ts';
import { type ChangeOf, type RowIn, record } from '../model/records/record.ts';
import { frozenState } from '../trade/kinds/order-status.ts';
import { LISTS } from '../trade/lists.ts';

const { DRAFT } = LISTS.approvalstatuses;

export class LeaseApproval extends record(
  'leaseapproval',
  {
    order_id: reference('order', { required: true, fixed: true }),
    contact_id: reference('contact', { required: true, description: 'The payer of the order' }),
    approval_status: choice('approvalstatuses', { indexed: true, fallback: DRAFT }),
    requested_net: money({ min: 0 }),
    approved_net: money({
      min: 0,
      description: 'Required for APPROVED and PARTLY; the invoice must be this',
    }),
    approval_number: varchar(30, {
      indexed: true,
      personal: false,
      description: 'Required for APPROVED and PARTLY; the invoice prints it',
    }),
    valid_until: timestamp({ description: 'The moment from which the approval no longer counts' }),
    reason: text({ personal: true }),
  },
  {
    description: 'The approval of an order by the lease company that pays it',
    parent: 'order_id',
    // The payer is known once the order is made, so no approval comes together with its order.
    frozenBy: ({ order_status }) => frozenState(Number(order_status)),
    about: {
      contact: 'contact_id',
      through: ['order_id'],
      anonymised: 'emptied',
      title: { nl: 'Akkoorden van leasemaatschappijen', en: 'Approvals of lease companies' },
    },
    personalKey: false,
  },
) {}

export type LeaseApprovalRow = RowIn<typeof LeaseApproval>;
export type LeaseApprovalChange = ChangeOf<typeof LeaseApproval>;
