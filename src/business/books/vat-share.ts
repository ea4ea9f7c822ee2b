// Shares VAT among lines: the VAT of their invoice, or the VAT that the garage itself owes.
import {
  columns,
  decimal,
  filled,
  type Selected,
  selected,
  text,
} from '../../core/model/statements/selected.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { grouped } from '../../core/trade/grouped.ts';
import { dayOf } from '../../core/trade/time/day.ts';
import { cents } from '../../core/trade/totals.ts';
import { chargedVat, sideOf, spreadVat, taxOf } from '../../core/trade/vat-box.ts';
import { BEARING, OWED_BY_BUYER, vatColumn } from '../../core/trade/vat-code.ts';
import { suppliedAt } from './fragment.ts';
import { isOfPurchase, linesOf, type Types } from './invoice-lines.ts';
import type { Books } from './period.ts';

/** A line with the VAT of its invoice. */
const VAT_ROW = {
  ...columns(OrderLine, 'l', 'id', 'order_id', 'line_kind', 'vat_code'),
  ...filled(OrderLine, 'l', 'line_net', 'line_vat'),
  vat_high: decimal('o.vat_high'),
  vat_low: decimal('o.vat_low'),
  supplied: text(suppliedAt()),
};
type VatRow = Selected<typeof VAT_ROW>;

/** The lines with these VAT codes on some invoices of the period. */
export const readVatRows = async (
  books: Books,
  orders: readonly number[],
  codes: readonly number[],
): Promise<VatRow[]> =>
  selected(
    linesOf(books)
      .whereIn('l.order_id', [...orders])
      .whereIn('l.vat_code', [...codes])
      .orderBy('l.id'),
    VAT_ROW,
  );

/**
 * Groups lines that round their VAT together: lines of one invoice and one VAT code. `isBought`: is the invoice a
 * purchase?
 */
export function groupsByCode(rows: readonly VatRow[], isBought: (row: VatRow) => boolean): VatRow[][] {
  const groups = grouped(rows, (row) => {
    const { order_id, vat_code, line_kind } = row;
    // If the garage itself owes the VAT, a trade-in is rounded apart from its sale.
    const side = OWED_BY_BUYER.includes(vat_code) ? sideOf({ line_kind, isPurchase: isBought(row) }) : '';
    return `${order_id} ${vat_code} ${side}`;
  });
  return [...groups.values()];
}

/** The share of each line in the VAT on the invoice, in cents. All lines have the same VAT code, high or low. */
export function borneVat(group: readonly VatRow[]): bigint[] {
  const [first] = group;
  const column = first && vatColumn(first.vat_code);
  const total = column && first[column];
  const lines = group.map(({ line_kind, line_vat }) => ({ line_kind, vat: cents(line_vat) }));
  return spreadVat(lines, cents(total ?? '0'));
}

/** The share of each line in the VAT that the garage itself owes, in cents. */
function owedVat(group: readonly VatRow[], { period }: Books): bigint[] {
  const day = dayOf(group[0]?.supplied ?? period.first, period.timezone);
  const nets = group.map(({ line_net }) => cents(line_net));
  const lines = group.map(({ line_kind }, index) => ({ line_kind, vat: chargedVat(nets[index] ?? 0n, day) }));
  return spreadVat(
    lines,
    chargedVat(
      nets.reduce((sum, net) => sum + net, 0n),
      day,
    ),
  );
}

/** The VAT of each line of these invoices, by line ID, in cents. */
export async function readVats(
  books: Books,
  invoices: readonly (Types & { readonly order_id: number })[],
): Promise<Map<number, bigint>> {
  const orderOf = new Map(invoices.map((invoice) => [invoice.order_id, invoice]));
  const rows = await readVatRows(books, [...orderOf.keys()], [...BEARING, ...OWED_BY_BUYER]);
  const vats = new Map<number, bigint>();
  const isBought = ({ order_id }: VatRow) => {
    const order = orderOf.get(order_id);
    return order !== undefined && isOfPurchase(order);
  };
  for (const group of groupsByCode(rows, isBought)) {
    const [first] = group;
    if (!first) continue;
    const { isCharged } = taxOf({ ...first, isPurchase: isBought(first) });
    const isBorne = BEARING.includes(first.vat_code);
    const shares = isCharged ? owedVat(group, books) : isBorne ? borneVat(group) : [];
    for (const [index, { id }] of group.entries()) vats.set(id, shares[index] ?? 0n);
  }
  return vats;
}
