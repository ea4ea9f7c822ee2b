// Keeps the total of a flat rate in step with its lines. A line without a price counts at the price of its article.

import { refuse } from '../../model/bodies/check.ts';
import type { Row } from '../../model/fields/field.ts';
import { largeAmount } from '../../model/fields/value.ts';
import { lockRecord } from '../../model/lists/find.ts';
import type { Change } from '../../model/records/record.ts';
import { columns, decimal, orNull, type Selected, selected } from '../../model/statements/selected.ts';
import { changeRow } from '../../model/writes/write.ts';
import type { Article } from '../../resources/article.ts';
import { FlatRate } from '../../resources/flat-rate.ts';
import { FlatRateLine } from '../../resources/flat-rate-line.ts';
import { Decimal, roundTo } from '../../trade/decimal.ts';

/** Adds up all lines of a flat rate after one line changed. A flat rate has some dozens of lines at most. */
export async function keepFlatRateTotal({
  parent,
  garage,
}: Pick<Change, 'parent' | 'garage'>): Promise<void> {
  if (!parent) return;
  const ofParent = FlatRateLine.of(garage, 'line')
    .leftJoin('articles as article', 'article.id', 'line.article_id')
    .where('line.flatrate_id', Number(parent.id));
  const lines = await selected(ofParent, AMOUNT);
  const total = roundTo(
    lines.reduce((sum, line) => sum.plus(amountOf(line)), new Decimal(0)),
    2,
  );
  if (total === parent.total_net) return;
  refuse([largeAmount('total_net', total) ?? []].flat());
  const next: Row = { ...parent, total_net: total };
  await changeRow(garage, FlatRate.resource, { previous: parent, next });
}

const AMOUNT = {
  ...columns(FlatRateLine, 'line', 'quantity', 'price'),
  article_price: orNull(decimal('article.price')),
};

const amountOf = ({ quantity, price, article_price }: Selected<typeof AMOUNT>): string =>
  roundTo(new Decimal(quantity ?? 1).times(price ?? article_price ?? 0), 2);

/** Updates the totals of flat rates after the price of an article changed. Only lines without a price use it. */
export async function keepFlatRatesOfArticle(change: Change<Pick<Article, 'id' | 'price'>>): Promise<void> {
  const { next, previous, garage } = change;
  if (!previous || previous.price === next.price) return;
  const flatRates = await FlatRateLine.of(garage)
    .distinct('flatrate_id')
    .where('article_id', next.id)
    .whereNull('price')
    .orderBy('flatrate_id');
  for (const { flatrate_id } of flatRates) {
    const parent = await lockRecord(garage, FlatRate.resource, flatrate_id);
    await keepFlatRateTotal({ parent, garage });
  }
}
