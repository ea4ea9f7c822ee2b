// An order and its lines as the judges of this folder see them. Quantities and amounts are decoded here, once.
import { isCreditNote } from '../kinds/order-type.ts';
import { cents } from '../totals.ts';
import { PLACES, wholeOf } from '../whole.ts';

/** The columns of an order that judges read. Decimals are strings, as the database returns them. */
export interface CaseOrder {
  readonly id: number;
  readonly order_type: number;
  readonly contact_id: number;
  readonly invoice_contact_id: number | null;
  readonly vehicle_id: number | null;
  readonly is_vat_included: number | null;
  readonly deposit_of_order_id: number | null;
  readonly total_gross: string | null;
}

/** The columns of a line that judges read. */
export interface LineRow {
  readonly id: number;
  readonly order_id: number;
  readonly line_kind: number;
  readonly vat_code: number;
  readonly vehicle_id: number | null;
  readonly credited_line_id: number | null;
  readonly quantity: string;
  readonly price: string;
  readonly discount_percentage: string | null;
  readonly vat_percentage: string | null;
  readonly purchase_price: string | null;
  readonly line_net: string | null;
  readonly line_vat: string | null;
  readonly line_gross: string | null;
  readonly margin_vat: string | null;
}

/** The quantity in ten-thousandths, and the amounts in cents. */
interface Decoded {
  readonly line_net: string;
  readonly line_vat: string;
  readonly line_gross: string;
  readonly pieces: bigint;
  readonly net: bigint;
  readonly vat: bigint;
  readonly gross: bigint;
  /** 0 for a line that is not under the margin scheme. */
  readonly margin: bigint;
}

export type CaseLine<L extends LineRow = LineRow> = L & Decoded;

export function decoded<L extends LineRow>(row: L): CaseLine<L> {
  const [line_net, line_vat, line_gross] = [row.line_net ?? '0', row.line_vat ?? '0', row.line_gross ?? '0'];
  return {
    ...row,
    ...{ line_net, line_vat, line_gross },
    pieces: wholeOf(row.quantity, PLACES),
    net: cents(line_net),
    vat: cents(line_vat),
    gross: cents(line_gross),
    margin: cents(row.margin_vat ?? '0'),
  };
}

export const isCredit = ({ order_type }: Pick<CaseOrder, 'order_type'>): boolean => isCreditNote(order_type);

export const grossOf = ({ total_gross }: Pick<CaseOrder, 'total_gross'>): bigint => cents(total_gross ?? '0');
