// Numbers and amounts of orders: series without gaps, totals, margins, deposits, credits, open amounts.
import { dayOf } from '../../support/build/day.ts';
import type { Json } from '../../support/client/client.ts';
import type { Desk } from '../desk.ts';
import {
  type Books,
  CODE,
  CREDIT,
  creditsOf,
  invoicesOf,
  isInvoice,
  isPurchase,
  LINE,
  linesOf,
  named,
  originOf,
  SALE,
} from './books.ts';
import { cents, lineAmount, share, sum, sumBy } from './exact.ts';

/** LOW was 6 before 2019. Stories supply nothing before 2012, when HIGH was 19. */
const rateOf = (code: number, day: string): number =>
  code === CODE.HIGH ? 21 : code === CODE.LOW ? (day < '2019-01-01' ? 6 : 9) : 0;
/** The day whose rates an order has. An order without a day is of today. */
const rateDay = ({ supply_date }: Json): string =>
  supply_date === null ? '9999-12-31' : dayOf(String(supply_date));

export function seriesFaults(books: Books): string[] {
  const faults: string[] = [];
  const series = new Map<string, { number: number; date: string; year: string }[]>();
  for (const order of invoicesOf(books)) {
    const [, name = '', number = ''] = /^(.*\d{4})(\d{5,})$/.exec(String(order.invoice_number)) ?? [];
    if (name === '' || order.external_id !== null) continue;
    series.set(name, [
      ...(series.get(name) ?? []),
      {
        number: Number(number),
        date: String(order.invoice_date),
        year: dayOf(String(order.invoice_date)).slice(0, 4),
      },
    ]);
  }
  for (const [name, found] of series) {
    found.sort((a, b) => a.number - b.number);
    found.forEach(({ number, date, year }, index) => {
      if (number !== index + 1) faults.push(`series ${name} has ${number} where ${index + 1} is due`);
      if (!name.endsWith(year)) faults.push(`${name}${number} is dated ${date}`);
      if (date < (found[index - 1]?.date ?? ''))
        faults.push(`${name}${number} is dated before the number before it`);
    });
  }
  return faults;
}

/** A line that the service made from an earlier line has amounts of that line. */
export const isTakenBack = (line: Json): boolean => line.credited_line_id !== null;

/** Lines of prices with VAT add up to the order. With net prices each line rounds its VAT, and the order per code. */
export function totalFaults(books: Books): string[] {
  return books.orders.flatMap((order) => {
    const lines = linesOf(books, order);
    const { total_net: net, total_vat: vat, total_gross: gross } = order;
    const shown = { net: cents(net), vat: cents(vat) };
    const faults =
      cents(gross) === shown.net + shown.vat
        ? []
        : [`${named(order)}: net ${net} and VAT ${vat} are not ${gross}`];
    if (sum(lines, ({ line_net }) => cents(line_net)) !== shown.net)
      faults.push(`${named(order)}: its lines are not ${net}`);
    if (lines.some(isTakenBack)) return faults;
    const whole = wholeOf(order, lines);
    if (whole.net !== shown.net || whole.vat !== shown.vat)
      faults.push(`${named(order)} shows ${JSON.stringify(shown)}, computed ${JSON.stringify(whole)}`);
    return faults;
  });
}

/** Net and VAT of lines, by the rule of their order. */
function wholeOf(order: Json, lines: readonly Json[]): { net: number; vat: number } {
  const codes = [...new Set(lines.map(({ vat_code }) => Number(vat_code)))];
  const amounts = codes.map((code) =>
    amountsOf(
      order,
      lines.filter(({ vat_code }) => vat_code === code),
      code,
    ),
  );
  return { net: sum(amounts, ({ net }) => net), vat: sum(amounts, ({ vat }) => vat) };
}

/** Net and VAT of the lines of one code. */
export function amountsOf(order: Json, lines: readonly Json[], code: number): { net: number; vat: number } {
  const amount = sum(lines, ({ quantity, price, discount_percentage }) =>
    lineAmount(quantity, price, discount_percentage),
  );
  const rate = rateOf(code, rateDay(order));
  if (order.is_vat_included !== 1) return { net: amount, vat: share(amount, rate, 100) };
  const vat = share(amount, rate, 100 + rate);
  return { net: amount - vat, vat };
}

/** The lines under the margin scheme of one vehicle on an order, or one such line without a vehicle. In cents. */
interface MarginPart {
  readonly key: unknown;
  readonly lines: readonly Json[];
  readonly margin: number;
  /** The sum of `margin_vat`. */
  readonly vat: number;
}

/** A credit note has the parts of the order that it takes back. */
export function marginPartsOf(books: Books, order: Json): MarginPart[] {
  const origin = originOf(books, order);
  const ofOrder = origin.order_type === SALE ? origin.vehicle_id : null;
  const keyOf = (line: Json) => line.vehicle_id ?? ofOrder ?? `line ${line.id}`;
  const lines = linesOf(books, order).filter(
    ({ vat_code, line_kind }) =>
      vat_code === CODE.MARGIN && line_kind !== LINE.DEPOSIT && line_kind !== LINE.TRADE_IN,
  );
  return [...new Set(lines.map(keyOf))].map((key) => {
    const own = lines.filter((line) => keyOf(line) === key);
    const cost = sum(own, ({ quantity, purchase_price }) => lineAmount(quantity, purchase_price, 0));
    return {
      key,
      lines: own,
      margin: sum(own, ({ line_net }) => cents(line_net)) - cost,
      vat: sum(own, ({ margin_vat }) => cents(margin_vat)),
    };
  });
}

/** The margin of a sale, for each vehicle and for each part without one. */
export function marginFaults(books: Books): string[] {
  return books.orders
    .filter((order) => order.order_type !== CREDIT && !isPurchase(books, order))
    .flatMap((order) =>
      marginPartsOf(books, order).flatMap(({ key, lines, margin, vat: shown }) => {
        if (
          lines.some(({ line_kind, purchase_price }) => line_kind === LINE.VEHICLE && purchase_price === null)
        )
          return [];
        const vat = Math.max(0, share(margin, 21, 121));
        return shown === vat
          ? []
          : [`${named(order)}: margin_vat of ${key} is ${shown / 100}, computed ${vat / 100}`];
      }),
    );
}

/** Deposits and the final invoice together bear the amounts of the whole. */
export function depositFaults(books: Books): string[] {
  return books.orders.filter(isInvoice).flatMap((order) => {
    const deposits = books.orders.filter(
      (one) => one.deposit_of_order_id === order.id && one.order_type !== CREDIT,
    );
    // The invoice cancels them. Somebody may open one again later; it can't become an invoice.
    const open = deposits.filter(
      ({ is_invoiced, order_status, modified_at }) =>
        is_invoiced !== 1 && order_status !== 8 && String(modified_at) <= String(order.invoice_date),
    );
    const faults = open.map((one) => `${named(order)} is invoiced, and its deposit ${one.id} is open`);
    if (order.order_type === CREDIT || !linesOf(books, order).some(isTakenBack)) return faults;
    const invoiced = deposits.filter(isInvoice);
    if (invoiced.some((one) => creditsOf(books, one).length > 0)) return faults;
    const whole = wholeOf(
      order,
      linesOf(books, order).filter((line) => !isTakenBack(line)),
    );
    for (const part of ['net', 'vat'] as const) {
      const together = sum([order, ...invoiced], (one) => cents(one[`total_${part}`]));
      if (together !== whole[part])
        faults.push(
          `${named(order)} and its deposits bear ${part} ${together / 100}, the whole ${whole[part] / 100}`,
        );
    }
    return faults;
  });
}

/** Credit notes never exceed their invoice, and a whole credit ends at exactly 0. */
export function creditFaults(books: Books): string[] {
  return books.orders
    .filter((order) => isInvoice(order) && order.order_type !== CREDIT)
    .flatMap((order) => {
      const credits = creditsOf(books, order);
      if (credits.length === 0) return [];
      const own = linesOf(books, order);
      const all = [order, ...credits].flatMap((one) => linesOf(books, one));
      // A line that takes a deposit off names a line of the deposit.
      const lineOf = (line: Json) => (line.order_id === order.id ? line.id : line.credited_line_id);
      const left = sumBy(all, lineOf, pieces);
      const faults = [
        ...exceeded(
          `${named(order)}: the gross of`,
          sumBy([order], () => 'all', grossOf),
          sumBy([order, ...credits], () => 'all', grossOf),
        ),
        ...exceeded(`${named(order)}: the pieces of line`, sumBy(own, lineOf, pieces), left),
        ...exceeded(`${named(order)}: the net of code`, sumBy(own, codeOf, netOf), sumBy(all, codeOf, netOf)),
      ];
      const isWhole = [...left.values()].every((quantity) => quantity === 0);
      return isWhole ? [...faults, ...endFaults(order, all)] : faults;
    });
}

const pieces = ({ quantity }: Json): number => Math.round(10_000 * Number(quantity));
const grossOf = ({ total_gross }: Json): number => cents(total_gross);
const netOf = ({ line_net }: Json): number => cents(line_net);
const codeOf = ({ vat_code }: Json): unknown => vat_code;

/** What credit notes have left of something, if it is less than nothing or more than the invoice has. */
const exceeded = (
  what: string,
  invoiced: ReadonlyMap<string, number>,
  left: ReadonlyMap<string, number>,
): string[] =>
  [...left].flatMap(([key, amount]) => {
    const whole = invoiced.get(key) ?? 0;
    return isPart(amount, whole) ? [] : [`${what} ${key} is ${whole}, and ${amount} after its credit notes`];
  });

/** Whether an amount lies between 0 and the whole, which may be below 0. */
const isPart = (amount: number, whole: number): boolean =>
  whole >= 0 ? amount >= 0 && amount <= whole : amount <= 0 && amount >= whole;

/** The amounts by code that an invoice and the credit notes of all its pieces do not end at 0. */
const endFaults = (order: Json, lines: readonly Json[]): string[] =>
  (['line_net', 'line_vat', 'margin_vat'] as const).flatMap((field) =>
    [...sumBy(lines, codeOf, (line) => cents(line[field]))].flatMap(([code, amount]) =>
      amount === 0
        ? []
        : [`${named(order)} is credited as a whole, but ${field} of code ${code} ends at ${amount / 100}`],
    ),
  );

export function openFaults(books: Books): string[] {
  return books.orders.flatMap((order) => {
    const payments = books.payments.filter(({ order_id }) => order_id === order.id);
    if (!isInvoice(order))
      return order.amount_open === null && payments.length === 0
        ? []
        : [`${named(order)} is no invoice, but has payments`];
    const total = cents(order.total_gross);
    const paid = sum(payments, ({ amount, rounding }) => cents(amount) + cents(rounding));
    const faults =
      cents(order.amount_open) === total - paid
        ? []
        : [`${named(order)}: amount_open ${order.amount_open}, computed ${(total - paid) / 100}`];
    if (!isPart(paid, total)) faults.push(`${named(order)} of ${total / 100} has payments of ${paid / 100}`);
    return faults;
  });
}

/**
 * A credit note is settled with its invoice, so not both are open. `desk` knows the invoices whose payments somebody
 * changed: these may be open again.
 */
export function settledFaults(desk: Desk, books: Books): string[] {
  const isRepaid = ({ id }: Json) => desk.facts('order', Number(id)).isRepaid === true;
  return books.orders
    .filter((order) => isInvoice(order) && order.order_type !== CREDIT && !isRepaid(order))
    .flatMap((order) =>
      creditsOf(books, order)
        .filter((note) => !isRepaid(note) && cents(order.amount_open) * cents(note.amount_open) < 0)
        .map(
          (note) =>
            `${named(order)} has ${order.amount_open} open, and its credit note ${named(note)} ${note.amount_open}`,
        ),
    );
}
