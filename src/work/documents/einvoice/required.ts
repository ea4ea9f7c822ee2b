// The fields that an e-invoice requires. An invoice shows the seller and the buyer of its day, so their data of that
// day are checked, not today's.
import { type Violation, violation } from '../../../core/errors.ts';
import { isCredit } from '../../../core/trade/order-case/line.ts';
import type { Buyer, Order, Seller } from '../pdf/data.ts';
import { buyerName, sellerName } from './data.ts';
import type { Format } from './format.ts';
import { clean } from './text.ts';

const ADDRESS = ['street', 'huisnummer', 'postcode', 'city', 'country_id'] as const;
const OF_SELLER = [...ADDRESS, 'vat_number', 'kvk_number', 'iban'] as const;

interface Judged {
  readonly format: Format;
  /** IDs of the garage and of the contact. */
  readonly owner: number;
  readonly contact: number;
  /** The contact is the seller, and the garage the buyer. */
  readonly isSelfBilled?: boolean;
  readonly seller: Seller;
  readonly buyer: Buyer;
  readonly order: Pick<Order, 'id' | 'order_type' | 'reference' | 'buyer_reference'>;
  /** Whether it names an invoice that it takes back. An old credit note may have come without. */
  readonly hasInvoice: boolean;
  /** An old invoice may have come without lines. */
  readonly hasLines: boolean;
  /** Whether a line has one of the VAT codes in NEED_VAT_NUMBER. */
  readonly needsVatNumber: boolean;
}

interface Judging {
  readonly resource: string;
  readonly id: number;
}

/** The records of the seller and of the buyer, and the field that stands for a missing name. */
function recordsOf({ owner, contact, isSelfBilled }: Pick<Judged, 'owner' | 'contact' | 'isSelfBilled'>) {
  const garage = { resource: 'owner', id: owner, name: 'name' };
  const other = { resource: 'contact', id: contact, name: 'last_name' };
  return isSelfBilled ? ([other, garage] as const) : ([garage, other] as const);
}

/** One violation for each missing field of the seller, the buyer and the order. Each names its record. */
export function missing({ format, seller, buyer, order, ...judged }: Judged): Violation[] {
  const { hasInvoice, hasLines, needsVatNumber } = judged;
  const isPeppol = format === 'peppol';
  const [selling, buying] = recordsOf(judged);
  const about = ({ resource, id }: Judging, fields: readonly (string | false)[]): Violation[] =>
    fields.flatMap((field) => (field ? { ...violation('field_empty', { field }), resource, id } : []));
  return [
    ...about(selling, [
      !sellerName(seller) && selling.name,
      ...OF_SELLER.filter((field) => !clean(seller[field])),
      isPeppol && !clean(seller.peppol_id) && 'peppol_id',
    ]),
    ...about(buying, [
      !buyerName(buyer) && buying.name,
      ...ADDRESS.filter((field) => !clean(buyer[field])),
      needsVatNumber && !clean(buyer.vat_number) && 'vat_number',
      isPeppol && !clean(buyer.peppol_id) && 'peppol_id',
    ]),
    ...about({ resource: 'order', id: order.id }, [
      !clean(order.buyer_reference) && !clean(order.reference) && 'buyer_reference',
      isCredit(order) && !hasInvoice && 'credited_order_id',
    ]),
    ...(hasLines
      ? []
      : [{ ...violation('array_empty', { field: 'orderline' }), resource: 'order', id: order.id }]),
  ];
}

/** The missing fields of several e-invoices. A field of a record counts once. */
export const missingOfAll = (all: readonly Judged[]): Violation[] => [
  ...new Map(
    all.flatMap(missing).map((found) => [`${found.resource} ${found.id} ${found.field}`, found]),
  ).values(),
];
