// Keeps the totals of an order in step with its lines: the change of one line is added to the sums of the
// locked order, so that no other line is read.
import { refuse } from '../model/check.ts';
import type { Row } from '../model/field.ts';
import type { Session } from '../model/session.ts';
import { largeAmount } from '../model/value.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseNow } from '../trade/timestamp.ts';
import { cents, euros, vatOf } from '../trade/totals.ts';

const { HIGH, LOW } = LISTS.vatcodes;

interface Amount {
  vat_code: number;
  line_net: string | null;
}

/** Applies what became of one line (`previous` to `next`, either may be missing) to its order, the `parent`. */
export async function keepOrderTotals({
  next,
  previous,
  parent,
  owner,
  session,
}: {
  next?: Amount;
  previous?: Amount;
  parent?: Row;
  owner: number;
  session: Session;
}): Promise<void> {
  if (!parent || (next?.line_net === previous?.line_net && next?.vat_code === previous?.vat_code)) return;
  const change = (code?: number) => netOf(next, code) - netOf(previous, code);
  const high = cents(String(parent.net_high)) + change(HIGH);
  const low = cents(String(parent.net_low)) + change(LOW);
  const net = cents(String(parent.total_net)) + change();
  // The other codes bear no VAT.
  const vat = vatOf(high, HIGH) + vatOf(low, LOW);
  const amounts = [high, low, net, vat, net + vat].map(euros);
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

/** In cents; 0 where there is no such line, or where it is of another code. */
const netOf = (line: Amount | undefined, code = line?.vat_code): bigint =>
  line?.vat_code === code ? cents(line?.line_net ?? '0') : 0n;
