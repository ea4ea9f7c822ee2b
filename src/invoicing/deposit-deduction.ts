// Takes the deposits of an order off its invoice. The invoice gets a line of quantity −1 for each deposit and each VAT
// code, with exactly the net and the VAT of the deposit. So deposits and invoice together bear the VAT of the whole
// order.
import { violation } from '../errors.ts';
import { refuse } from '../model/check.ts';
import type { Garage } from '../model/garage.ts';
import { insertRows } from '../model/write.ts';
import type { OrderChange, OrderRow } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { roundTo } from '../trade/decimal.ts';
import { type Language, languageOf } from '../trade/language.ts';
import { LISTS } from '../trade/lists.ts';
import { payerOf } from '../trade/payer.ts';
import { orderAmounts } from '../trade/settle.ts';
import { cents, euros } from '../trade/totals.ts';
import {
  cancelDeposits,
  claimDeposits,
  type Deposit,
  EXCEEDS_ORDER,
  grossOf,
  isTarget,
  type Taxed,
} from './deposit.ts';
import type { Parties } from './invoice-parties.ts';

const { DEPOSIT } = LISTS.linekinds;
const { HIGH, LOW, MARGIN } = LISTS.vatcodes;

const WORDS: Readonly<Record<Language, string>> = {
  nl: 'Af: aanbetaling, factuur',
  en: 'Less: deposit, invoice',
};

/** The amounts that a line takes off, for one deposit and one VAT code. */
interface Part extends Taxed {
  readonly deposit: Deposit['order'];
  readonly code: number;
}

/**
 * Called when an order is invoiced. Adds the lines, changes the totals of `next`, and cancels open deposits. Throws
 * Problem.
 */
export async function deductDeposits({ next, garage }: OrderChange, { buyer }: Parties): Promise<void> {
  if (!isTarget(next)) return;
  const { invoiced, open } = await claimDeposits(garage, next.id);
  await cancelDeposits(garage, open);
  const parts = invoiced.flatMap(({ order, rest }) =>
    [...rest].map(([code, taxed]): Part => ({ deposit: order, code, ...taxed })),
  );
  if (parts.length === 0) return;
  const total = parts.reduce((sum, part) => sum + grossOf(part), 0n);
  const isPaidByOthers = invoiced.some(({ order }) => payerOf(order) !== payerOf(next));
  const wrong = (field: string, value: unknown, validation: string) =>
    violation('value_invalid', { field, value, validation });
  refuse([
    ...(total > cents(next.total_gross ?? '0')
      ? [wrong('total_gross', Number(next.total_gross), EXCEEDS_ORDER)]
      : []),
    ...(isPaidByOthers ? [wrong('invoice_contact_id', next.invoice_contact_id, 'payer of the deposit')] : []),
  ]);
  await insertRows(
    garage,
    OrderLine.resource,
    await linesOf(garage, next, parts, languageOf(buyer.language)),
  );
  Object.assign(next, amountsWithout(next, parts));
}

async function linesOf(garage: Garage, next: OrderRow, parts: readonly Part[], language: Language) {
  const lines = await OrderLine.of(garage)
    .select('id', 'order_id', 'vat_code', 'vat_percentage', 'turnover_group_id')
    .whereIn(
      'order_id',
      parts.map(({ deposit }) => deposit.id),
    )
    .orderBy('id');
  return parts.map(({ deposit, code, net, vat }) => {
    const line = lines.find((one) => one.order_id === deposit.id && one.vat_code === code);
    return {
      order_id: next.id,
      line_kind: DEPOSIT,
      description: `${WORDS[language]} ${deposit.invoice_number}`,
      quantity: '-1.0000',
      price: roundTo(euros(next.is_vat_included === 1 ? net + vat : net), 4),
      vat_code: code,
      vat_percentage: line?.vat_percentage ?? null,
      turnover_group_id: line?.turnover_group_id ?? null,
      line_net: euros(-net),
      line_vat: euros(-vat),
      line_gross: euros(-net - vat),
      credited_line_id: line?.id ?? null,
      // The line of the car has the rest of its margin.
      margin_vat: code === MARGIN ? '0.00' : null,
    };
  });
}

/** The totals of the order less the amounts of the deposits. */
function amountsWithout(order: OrderRow, parts: readonly Part[]) {
  const sum = (of: keyof Taxed, code?: number) =>
    parts.reduce((total, part) => (part.code === (code ?? part.code) ? total + part[of] : total), 0n);
  const left = (column: 'total_net' | 'net_high' | 'net_low' | 'vat_high' | 'vat_low', taken: bigint) =>
    cents(String(order[column])) - taken;
  return orderAmounts({
    net: left('total_net', sum('net')),
    net_high: left('net_high', sum('net', HIGH)),
    net_low: left('net_low', sum('net', LOW)),
    vat_high: left('vat_high', sum('vat', HIGH)),
    vat_low: left('vat_low', sum('vat', LOW)),
  });
}
