// Keeps the total of a flat rate in step with its lines; a line without a price counts at its article's.
import { refuse } from '../model/check.ts';
import type { Row } from '../model/field.ts';
import { lockRecord } from '../model/find.ts';
import type { Change } from '../model/record.ts';
import { resourceNamed } from '../model/registry.ts';
import type { Session } from '../model/session.ts';
import { largeAmount } from '../model/value.ts';
import { Decimal, roundTo } from '../trade/decimal.ts';
import { databaseNow } from '../trade/timestamp.ts';

/** Sums up the lines of a flat rate (some dozens at most) after one of them changed. */
export async function keepFlatRateTotal(change: {
  parent?: Row;
  owner: number;
  session: Session;
}): Promise<void> {
  const { parent, owner, session } = change;
  if (!parent) return;
  const lines = await session.rows(
    'SELECT SUM(ROUND(COALESCE(l.quantity, 1) * COALESCE(l.price, a.price, 0), 2)) AS total FROM flatratelines l ' +
      'LEFT JOIN articles a ON a.owner_id = l.owner_id AND a.id = l.article_id WHERE l.owner_id = ? AND l.flatrate_id = ?',
    [owner, parent.id ?? null],
  );
  const total = roundTo(new Decimal(String(lines[0]?.total ?? 0)), 2);
  if (total === parent.total_net) return;
  refuse([largeAmount('total_net', total) ?? []].flat());
  await session.run(
    'UPDATE flatrates SET total_net = ?, modified_at = ?, version = version + 1 WHERE owner_id = ? AND id = ?',
    [total, databaseNow(), owner, parent.id ?? null],
  );
}

/** Sums up the flat rates in which an article counts at its own price, after that has changed. */
export async function keepFlatRatesOfArticle(change: Change<{ id: number; price: string }>): Promise<void> {
  const { next, previous, owner, session } = change;
  if (!previous || previous.price === next.price) return;
  const flatRates = await session.rows(
    'SELECT DISTINCT flatrate_id FROM flatratelines WHERE owner_id = ? AND article_id = ? AND price IS NULL ORDER BY flatrate_id',
    [owner, next.id],
  );
  for (const { flatrate_id } of flatRates) {
    const parent = await lockRecord(session, resourceNamed('flatrate'), owner, Number(flatrate_id));
    await keepFlatRateTotal({ parent, owner, session });
  }
}
