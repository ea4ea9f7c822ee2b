// The journal beside the records: entries balance, debtors and creditors are the open amounts of each invoice, VAT
// accounts are the boxes, and the stock account is what the cars in stock cost.
import type { Json } from '../../support/client/client.ts';
import { STOCK_ACCOUNT } from '../actions/opening.ts';
import type { Desk } from '../desk.ts';
import {
  type Books,
  CODE,
  contactOf,
  invoicesIn,
  invoicesOf,
  isDutch,
  isPurchase,
  LINE,
  linesOf,
  named,
} from './books.ts';
import { stockValue } from './cars.ts';
import { cents, sum, sumBy } from './exact.ts';

const ACCOUNT = {
  debtors: '1300',
  creditors: '1600',
  high: '1510',
  low: '1520',
  margin: '1530',
  input: '1540',
} as const;
export const FIRST_DAY = '2025-01-01';

export type Posting = Readonly<Record<string, string>>;

export async function journalOf(desk: Desk, from: string, to: string): Promise<Posting[]> {
  const { text } = await desk.copy({ resource: 'journal', from, to, format: 'csv' });
  const [head = '', ...rows] = text.split('\r\n').slice(0, -1);
  const names = head.split(',');
  return rows.map((row) => {
    const cells = row.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

const amountOf = ({ debit, credit }: Posting): number => cents(debit) - cents(credit);

export function ledgerFaults(books: Books, postings: readonly Posting[]): string[] {
  const faults: string[] = [];
  for (const [entry, left] of sumBy(postings, ({ entry: name }) => name, amountOf))
    if (left !== 0) faults.push(`entry ${entry} does not balance: ${left / 100}`);
  const balance = (account: string) =>
    sumBy(
      postings.filter((posting) => posting.account === account),
      ({ invoice_number, order_id }) => invoice_number || `order ${order_id}`,
      amountOf,
    );
  const [debtors, creditors] = [balance(ACCOUNT.debtors), balance(ACCOUNT.creditors)];
  for (const order of invoicesOf(books)) {
    const key = String(order.invoice_number ?? `order ${order.id}`);
    const [side, sign] = isPurchase(books, order) ? [creditors, -1] : [debtors, 1];
    const booked = sign * (side.get(key) ?? 0);
    if (booked !== cents(order.amount_open))
      faults.push(`${named(order)}: amount_open ${order.amount_open}, the journal has ${booked / 100}`);
    side.delete(key);
  }
  for (const side of [debtors, creditors])
    for (const [key, left] of side)
      if (left !== 0) faults.push(`the journal has ${left / 100} open for ${key}, which is no invoice`);
  const stock = sum(
    postings.filter(({ account }) => account === STOCK_ACCOUNT),
    amountOf,
  );
  const expected = stockValue(books);
  if (expected !== undefined && stock !== expected)
    faults.push(`the stock account has ${stock / 100}, the cars in stock cost ${expected / 100}`);
  return faults;
}

/** The boxes of a period beside the VAT accounts of its journal. */
export function boxFaults(boxes: Json, postings: readonly Posting[], from: string, to: string): string[] {
  const within = postings.filter(({ date = '' }) => date >= from && date <= to);
  const credited = (account: string) =>
    -(
      sumBy(
        within.filter((posting) => posting.account === account),
        () => '',
        amountOf,
      ).get('') ?? 0
    );
  const vat = (box: string) => cents((boxes[box] as Json | undefined)?.vat);
  const charged = vat('2a') + vat('4a') + vat('4b');
  // The last period of a year takes back what its periods declared too much. That is in no box.
  const settled = cents((boxes.margin as Json | undefined)?.settlement);
  const pairs = [
    ['1510 and 1530', credited(ACCOUNT.high) + credited(ACCOUNT.margin) + settled, vat('1a') + charged],
    ['1520', credited(ACCOUNT.low), vat('1b')],
    ['1540', -credited(ACCOUNT.input), vat('5b')],
  ] as const;
  return pairs.flatMap(([accounts, booked, owed]) =>
    booked === owed
      ? []
      : [`${from} to ${to}: accounts ${accounts} have ${booked / 100}, the boxes ${owed / 100}`],
  );
}

/** ICP beside box 3b and the invoices: supplies to buyers in another EU country, by their VAT number. */
export function icpFaults(
  books: Books,
  { data, icp, from, to }: { data: Json; icp: readonly Json[]; from: string; to: string },
): string[] {
  const supplies = invoicesIn(books, from, to).flatMap((order) => {
    const buyer = contactOf(books, order);
    if (isPurchase(books, order) || isDutch(buyer)) return [];
    return linesOf(books, order)
      .filter(
        ({ vat_code, line_kind }) =>
          line_kind !== LINE.TRADE_IN &&
          (vat_code === CODE.REVERSE_CHARGE || vat_code === CODE.INTRA_COMMUNITY),
      )
      .map(({ line_kind, line_net }) => ({
        key: `${line_kind === LINE.LABOUR ? 'services' : 'goods'} of ${buyer.vat_number}`,
        net: cents(line_net),
      }));
  });
  const listed = new Map<string, number>(
    icp.flatMap((row) =>
      ['goods', 'services'].map((kind) => [`${kind} of ${row.vat_number}`, cents(row[kind])] as const),
    ),
  );
  const computed = sumBy(
    supplies,
    ({ key }) => key,
    ({ net }) => net,
  );
  const faults = [...new Set([...listed.keys(), ...computed.keys()])]
    .filter((key) => (listed.get(key) ?? 0) !== (computed.get(key) ?? 0))
    .map(
      (key) => `ICP has ${(listed.get(key) ?? 0) / 100} ${key}, computed ${(computed.get(key) ?? 0) / 100}`,
    );
  const [all, box] = [
    sum([...listed.values()], (amount) => amount),
    cents((data['3b'] as Json | undefined)?.base),
  ];
  return all === box ? faults : [...faults, `ICP has ${all / 100}, box 3b ${box / 100}`];
}
