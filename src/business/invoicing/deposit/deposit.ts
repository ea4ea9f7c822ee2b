// Deposits: invoices that a buyer pays before the order is an invoice. A deposit names its order, the target. All
// deposits of an order together never exceed the order. A deposit can't become an invoice after its order did, whose
// invoice takes it off.

import { problem } from '../../../core/errors.ts';
import { refuse } from '../../../core/model/bodies/check.ts';
import {
  claimRecord,
  claimRecords,
  type Identified,
  lockRecord,
  selection,
} from '../../../core/model/lists/find.ts';
import { wholeColumns } from '../../../core/model/records/record.ts';
import { sumOf } from '../../../core/model/statements/fragment.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import { type Marker, marks, padded, prepared } from '../../../core/model/statements/prepared.ts';
import { refuseFrozenParent, refuseParent } from '../../../core/model/writes/state.ts';
import { changeAlong } from '../../../core/model/writes/store.ts';
import { insertRows } from '../../../core/model/writes/write.ts';
import type { ContactRow } from '../../../core/resources/contact.ts';
import { Contact } from '../../../core/resources/contact.ts';
import { Order, type OrderChange, type OrderRow } from '../../../core/resources/order.ts';
import { OrderLine, type OrderLineRow } from '../../../core/resources/order-line.ts';
import { isDeposit } from '../../../core/trade/deposit.ts';
import { TARGETS } from '../../../core/trade/kinds/order-type.ts';
import { type Language, languageOf } from '../../../core/trade/language.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { isTakenOff as isTakenOffBy } from '../../../core/trade/order-case/credit.ts';
import {
  amountsWithout,
  deductionLines,
  depositLines,
  EXCEEDS_ORDER,
  HELD_BY_DEPOSIT,
  isTarget,
  NO_TARGET,
  partsOf,
  unfitDeduction,
  unfitDeposit,
} from '../../../core/trade/order-case/deposit.ts';
import { grossOf } from '../../../core/trade/order-case/line.ts';
import { payerOf } from '../../../core/trade/payer.ts';
import { databaseNow, formatTimestamp } from '../../../core/trade/time/timestamp.ts';
import { cents } from '../../../core/trade/totals.ts';
import { type CreditedCase, readLines, readOrder, readTaken } from '../case.ts';
import { addWithLines, type NewOrder } from '../new-order.ts';

const { CANCELLED } = LISTS.orderstatuses;
const { INTERNAL_REVERSAL } = LISTS.ordertypes;

const WORDS: Readonly<Record<Language, string>> = { nl: 'Aanbetaling op order', en: 'Deposit on order' };

/** Locks and writes the order that deposits are paid for, so that other deposits of the order wait. Throws Problem. */
async function claimTarget(garage: Garage, id: number): Promise<OrderRow | undefined> {
  const target = await lockRecord(garage, Order.resource, id);
  if (!target) return undefined;
  refuseFrozenParent({ resource: Order.resource, row: target }, Order.resource);
  await claimRecord(garage, Order.resource, id);
  return target;
}

/**
 * Adds a deposit that is not invoiced yet, and returns it with its lines. `amount` is a decimal text and includes VAT.
 * Throws Problem.
 */
export async function addDeposit(
  garage: Garage,
  { order_id, amount }: { readonly order_id: number; readonly amount: string },
): Promise<NewOrder> {
  const target = await claimTarget(garage, order_id);
  if (!target) throw problem('reference_unknown', { field: 'order_id', value: order_id });
  refuseParent({ resource: Order.resource, row: target }, Order.resource);
  const wrong = (field: string, value: number, validation: string) =>
    problem('value_invalid', { field, value, validation });
  if (!isTarget(target)) throw wrong('order_id', order_id, NO_TARGET);
  const asked = cents(amount);
  if (asked <= 0n) throw wrong('amount', Number(amount), '>0');
  const { taken, language } = await readPaid(garage, target);
  if (taken + asked > grossOf(target)) throw wrong('amount', Number(amount), EXCEEDS_ORDER);

  const { order_type, contact_id, invoice_contact_id, vehicle_id, reference, buyer_reference } = target;
  const description = `${WORDS[languageOf(language)]} ${target.order_number}`;
  return addWithLines(
    garage,
    {
      ...{ order_type, contact_id, invoice_contact_id, vehicle_id, reference, buyer_reference },
      order_date: formatTimestamp(databaseNow()),
      deposit_of_order_id: order_id,
      // The buyer pays exactly the amount, whatever its VAT is.
      is_vat_included: 1,
    },
    depositLines(asked, target, await readLines(garage, [order_id]), description),
  );
}

/**
 * The sum of the deposits of an order less their credit notes, in cents, and the language of the payer. Without
 * cancelled deposits and without `invoicedBut`, which counts invoices only.
 */
async function readPaid(
  garage: Garage,
  target: Pick<OrderRow, 'id' | 'contact_id' | 'invoice_contact_id'>,
  invoicedBut?: number,
): Promise<{ taken: bigint; language: string | null }> {
  const deposits = (mark: Marker) =>
    depositsOf(mark)
      .modify((query) => {
        if (invoicedBut !== undefined) query.where('d.is_invoiced', 1).whereNot('d.id', mark('but'));
      })
      .clearOrder();
  const [row] = await prepared(`paid deposits ${invoicedBut !== undefined}`, (mark) =>
    Order.ofMarked(mark, 't')
      .select(
        deposits(mark).select(sumOf('d.total_gross').as('sum')).as('deposits'),
        deposits(mark)
          .join('orders as c', (join) =>
            join.on('c.owner_id', 'd.owner_id').on('c.credited_order_id', 'd.id'),
          )
          .where({ 'c.order_type': INTERNAL_REVERSAL, 'c.is_invoiced': 1 })
          .select(sumOf('c.total_gross').as('sum'))
          .as('credits'),
        Contact.ofMarked(mark).where('id', mark('payer')).select('language').as('language'),
      )
      .where('t.id', mark('target')),
  ).rows<Pick<ContactRow, 'language'> & { deposits: string | null; credits: string | null }>(garage, {
    target: target.id,
    payer: payerOf(target),
    but: invoicedBut ?? null,
  });
  const taken = cents(row?.deposits ?? '0') + cents(row?.credits ?? '0');
  return { taken, language: row?.language ?? null };
}

/** The deposits of an order, without cancelled ones, sorted by ID. */
const depositsOf = (mark: Marker) =>
  Order.ofMarked(mark, 'd')
    .where('d.deposit_of_order_id', mark('target'))
    .whereIn('d.order_type', [...TARGETS])
    .whereNot('d.order_status', CANCELLED)
    .orderBy('d.id');

/** Called when an order is invoiced. A deposit must fit its target as the target is now. Throws Problem. */
export async function demandFittingDeposit(garage: Garage, order: OrderRow): Promise<void> {
  if (!isDeposit(order) || order.deposit_of_order_id === null) return;
  const target = await claimTarget(garage, order.deposit_of_order_id);
  if (!target) return;
  const { taken } = await readPaid(garage, target, order.id);
  refuse(unfitDeposit(order, target, taken));
}

/** Whether another invoice takes the deposit off that a credit note takes back. */
export async function isTakenOff(garage: Garage, { invoice, lines }: CreditedCase): Promise<boolean> {
  const { deposit_of_order_id } = invoice;
  if (!isDeposit(invoice) || deposit_of_order_id === null) return false;
  const target = await readOrder(garage, deposit_of_order_id);
  if (!target) return false;
  const taken = await readTaken(garage, target.id, { invoicedOnly: true });
  const own = lines.filter(({ order_id }) => order_id === invoice.id);
  return isTakenOffBy(own, { ...target, lines: taken.lines });
}

type DepositRow = OrderRow & Identified;

/**
 * Locks the deposits of an order. The caller has locked the order. Invoiced deposits are also written, so that their
 * credit notes wait.
 */
async function claimDeposits(
  garage: Garage,
  target: number,
): Promise<{ invoiced: readonly DepositRow[]; open: readonly DepositRow[] }> {
  const rows = await prepared('lock the deposits of an order', (mark) =>
    depositsOf(mark)
      .select(...selection(Order.resource, wholeColumns(Order.resource), 'd'))
      .forUpdate(),
  ).rows<DepositRow>(garage, { target });
  const invoiced = rows.filter(({ is_invoiced }) => is_invoiced === 1);
  if (invoiced.length > 0)
    await claimRecords(
      garage,
      Order.resource,
      invoiced.map(({ id }) => id),
    );
  return { invoiced, open: rows.filter(({ is_invoiced }) => is_invoiced === 0) };
}

const TAXED = ['id', 'order_id', 'vat_code', 'vat_percentage', 'turnover_group_id', 'line_net'] as const;
type DepositLine = Pick<OrderLineRow, (typeof TAXED)[number]> &
  Pick<OrderRow, 'credited_order_id' | 'vat_high' | 'vat_low'>;

/** The lines of claimed deposits and of their invoiced credit notes, sorted by ID. */
function readDepositLines(garage: Garage, deposits: readonly DepositRow[]): Promise<DepositLine[]> {
  const ids = padded(deposits.map(({ id }) => id));
  return prepared(`lines of ${ids.length} deposits`, (mark) => {
    const lines = (column: 'id' | 'credited_order_id') =>
      OrderLine.ofMarked(mark, 't')
        .join('orders as o', (join) => join.on('o.owner_id', 't.owner_id').on('o.id', 't.order_id'))
        .select(...TAXED.map((name) => `t.${name}`), 'o.credited_order_id', 'o.vat_high', 'o.vat_low')
        .whereIn(`o.${column}`, marks(mark, 'ids', ids.length))
        .where('o.owner_id', mark('owner'));
    const credits = lines('credited_order_id').where({
      'o.order_type': INTERNAL_REVERSAL,
      'o.is_invoiced': 1,
    });
    return lines('id').unionAll(credits).orderBy('id');
  }).rows<DepositLine>(garage, { ids });
}

/** What is left of claimed deposits that are invoices, by deposit and VAT code. */
async function readParts(garage: Garage, invoiced: readonly DepositRow[]) {
  if (invoiced.length === 0) return [];
  const lines = await readDepositLines(garage, invoiced);
  return partsOf(
    invoiced.map((order) => ({
      order,
      lines: lines.filter((line) => line.order_id === order.id || line.credited_order_id === order.id),
    })),
  );
}

/**
 * Called when an order with deposits is invoiced. Cancels open deposits, adds the lines that take the others off, and
 * changes the totals of `next`. Throws Problem.
 */
export async function deductDeposits(
  garage: Garage,
  next: OrderRow,
  { language }: Pick<ContactRow, 'language'>,
): Promise<void> {
  if (!isTarget(next)) return;
  const { invoiced, open } = await claimDeposits(garage, next.id);
  await cancelDeposits(garage, open);
  const parts = await readParts(garage, invoiced);
  if (parts.length === 0) return;
  refuse(unfitDeduction(next, parts));
  await insertRows(garage, OrderLine.resource, deductionLines(next, parts, language), {
    references: 'known',
  });
  Object.assign(next, amountsWithout(next, parts));
}

/**
 * Cancels deposits that are no invoices. Their order is an invoice or cancelled, so nobody has to pay them. Their
 * appointments and running time end as those of any cancelled order.
 */
async function cancelDeposits(garage: Garage, open: readonly DepositRow[]): Promise<void> {
  for (const previous of open) {
    const next = { ...previous, order_status: CANCELLED };
    await changeAlong(Order.resource, { next, previous, given: () => undefined, garage });
  }
}

/** Called when an order is cancelled: cancels its open deposits. Throws Problem if a deposit is an invoice. */
export async function cancelWithDeposits({ next, previous, garage }: OrderChange): Promise<void> {
  const isNew = next.order_status === CANCELLED && previous?.order_status !== CANCELLED;
  if (!isNew || !isTarget(next)) return;
  const { invoiced, open } = await claimDeposits(garage, next.id);
  // A deposit that was credited as a whole holds nothing.
  const parts = await readParts(garage, invoiced);
  refuse(parts.length > 0 ? [HELD_BY_DEPOSIT] : []);
  await cancelDeposits(garage, open);
}
