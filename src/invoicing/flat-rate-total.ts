// Keeps the total of a flat rate in step with its lines. A line without a price counts at the price of its article.
import { refuse } from '../model/check.ts';
import type { Row } from '../model/field.ts';
import { lockRecord } from '../model/find.ts';
import type { Change } from '../model/record.ts';
import { modelNamed, resourceNamed } from '../model/registry.ts';
import type { Session } from '../model/session.ts';
import { update } from '../model/store.ts';
import { largeAmount } from '../model/value.ts';
import { Decimal, roundTo } from '../trade/decimal.ts';

/** Adds up all lines of a flat rate after one line changed. A flat rate has some dozens of lines at most. */
export async function keepFlatRateTotal({
  parent,
  owner,
  session,
}: {
  parent?: Row;
  owner: number;
  session: Session;
}): Promise<void> {
  if (!parent) return;
  const lines = await modelNamed('flatrateline')
    .query(session.knex)
    .alias('line')
    .leftJoin('articles as article', 'article.id', 'line.article_id')
    .modify('owned', owner)
    .where('line.flatrate_id', Number(parent.id))
    .select('line.quantity', 'line.price', 'article.price as article_price');
  const total = roundTo(
    lines.reduce((sum, line) => sum.plus(amountOf(line)), new Decimal(0)),
    2,
  );
  if (total === parent.total_net) return;
  refuse([largeAmount('total_net', total) ?? []].flat());
  const next: Row = { ...parent, total_net: total };
  await update(resourceNamed('flatrate'), { next, previous: parent, given: () => undefined, owner, session });
}

const amountOf = ({ quantity, price, article_price }: Row): string =>
  roundTo(new Decimal(quantity ?? 1).times(price ?? article_price ?? 0), 2);

/** Updates the totals of flat rates after the price of an article changed. Only lines without a price use it. */
export async function keepFlatRatesOfArticle(change: Change<{ id: number; price: string }>): Promise<void> {
  const { next, previous, owner, session } = change;
  if (!previous || previous.price === next.price) return;
  const flatRates = await modelNamed('flatrateline')
    .query(session.knex)
    .distinct('flatrate_id')
    .modify('owned', owner)
    .where('article_id', next.id)
    .whereNull('price')
    .orderBy('flatrate_id');
  for (const { flatrate_id } of flatRates) {
    const parent = await lockRecord(session, resourceNamed('flatrate'), owner, Number(flatrate_id));
    await keepFlatRateTotal({ parent, owner, session });
  }
}
