// Keeps the totals of an order in step with its lines: the change of one line is added to the sums of the
// locked order, so that no other line is read.
import { refuse } from '../model/check.ts';
import type { Row } from '../model/field.ts';
import type { Session } from '../model/session.ts';
import { largeAmount } from '../model/value.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseNow } from '../trade/timestamp.ts';
import { cents, euros, orderTotals } from '../trade/totals.ts';

const { HIGH, LOW, ZERO } = LISTS.vatcodes;

interface Amount {
  vat_code: number;
  line_net: string | null;
}

/** Applies what became of one line (`previous` to `next`, either may be missing) to its order, the `parent`. */
export async function keepOrderTotals(change: {
  next?: Amount;
  previous?: Amount;
  parent?: Row;
  owner: number;
  session: Session;
}): Promise<void> {
  const { next, previous, parent, owner, session } = change;
  if (!parent || (next?.line_net === previous?.line_net && next?.vat_code === previous?.vat_code)) return;
  const sums = [
    ...orderSums(parent),
    ...(next ? [{ vat_code: next.vat_code, net: next.line_net ?? '0' }] : []),
    ...(previous ? [{ vat_code: previous.vat_code, net: euros(-cents(previous.line_net ?? '0')) }] : []),
  ];
  const totals = orderTotals(sums);
  const netOf = (code: number) => totals.rates.find((rate) => rate.vat_code === code)?.net ?? '0.00';
  const amounts = [netOf(HIGH), netOf(LOW), totals.total_net, totals.total_vat, totals.total_gross];
  refuse(amounts.flatMap((amount) => largeAmount('total_gross', amount) ?? []).slice(0, 1));
  await session.run(
    'UPDATE orders SET net_high = ?, net_low = ?, total_net = ?, total_vat = ?, total_gross = ?, ' +
      'modified_at = ?, version = version + 1 WHERE owner_id = ? AND id = ?',
    [...amounts, databaseNow(), owner, parent.id ?? null],
  );
}

/** Sums up the lines of all orders of an owner anew, as far as its totals don't tell. */
export async function sumUpOrders(session: Session, owner: number): Promise<void> {
  const net = 'COALESCE(SUM(CASE WHEN vat_code = ? THEN line_net END), 0)';
  await session.run(
    'UPDATE orders o JOIN (' +
      `SELECT order_id, ${net} AS high, ${net} AS low FROM orderlines WHERE owner_id = ? GROUP BY order_id` +
      ') l ON l.order_id = o.id SET o.net_high = l.high, o.net_low = l.low WHERE o.owner_id = ?',
    [HIGH, LOW, owner, owner],
  );
}

/** The nets of an order by VAT code, as far as VAT needs them: high, low, and all without VAT as one. */
function orderSums({ net_high, net_low, total_net }: Row): { vat_code: number; net: string }[] {
  const [high, low] = [String(net_high), String(net_low)];
  return [
    { vat_code: HIGH, net: high },
    { vat_code: LOW, net: low },
    { vat_code: ZERO, net: euros(cents(String(total_net)) - cents(high) - cents(low)) },
  ];
}
