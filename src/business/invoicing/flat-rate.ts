// Flat rates: their lines become lines of an order, and their total follows their lines. If a flat rate line lacks a
// value, the value of its article counts; in an order then the value of the flat rate.
import { problem } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import type { Row } from '../../core/model/fields/field.ts';
import { INT4_MAX } from '../../core/model/fields/int4.ts';
import { largeAmount } from '../../core/model/fields/value.ts';
import { claimRecord, claimRecords, findRecord, lockRecord } from '../../core/model/lists/find.ts';
import type { Change } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { columns, decimal, orNull, type Selected, selected } from '../../core/model/statements/selected.ts';
import { logMany } from '../../core/model/writes/change-log.ts';
import { addRecord } from '../../core/model/writes/store.ts';
import { changeRow } from '../../core/model/writes/write.ts';
import { Article } from '../../core/resources/article.ts';
import { FlatRate, type FlatRateRow } from '../../core/resources/flat-rate.ts';
import { FlatRateLine, type FlatRateLineChange } from '../../core/resources/flat-rate-line.ts';
import type { OrderRow } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { Decimal, roundTo } from '../../core/trade/decimal.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { priceWithVat } from '../../core/trade/totals.ts';
import { percentageOn } from '../../core/trade/vat-code.ts';
import { rateDayOf } from './totals/rate-day.ts';

/** Appends the lines to the order, in the order of the flat rate. Throws a Problem like any added line. */
export async function addFlatRate(
  garage: Garage,
  order: Pick<OrderRow, 'id' | 'is_vat_included' | 'supply_date' | 'invoice_date'>,
  flatRateId: number,
): Promise<void> {
  const flatRate = await findRecord(garage, FlatRate.resource, flatRateId);
  const field = { field: 'flatrate_id', value: flatRateId };
  if (!flatRate) throw problem('reference_unknown', field);
  if (flatRate.is_blocked === 1 || flatRate.is_archived === 1)
    throw problem('value_invalid', { ...field, validation: 'not blocked, not archived' });
  const lines = await FlatRateLine.of(garage)
    .where('flatrate_id', flatRateId)
    .modify('sorted')
    .withGraphFetched('article')
    .castTo<LineWithArticle[]>();
  if (lines.length === 0) throw problem('array_empty', { field: 'flatrateline' });
  const ofOrder = OrderLine.of(garage).where('order_id', order.id);
  const last = await ofOrder.clone().max('sort_order as sort_order').first();
  // Lines without a number come last, and then by their IDs.
  const isLastUnnumbered = (await ofOrder.clone().select('id').whereNull('sort_order').first()) !== undefined;
  let number = last?.sort_order ?? 0;
  const day = await rateDayOf(garage, order);
  for (const line of lines) {
    number += 1;
    await addRecord(garage, OrderLine.resource, {
      order_id: order.id,
      sort_order: isLastUnnumbered || number > INT4_MAX ? null : number,
      ...(order.is_vat_included === 1 ? withVat(orderLine(line, flatRate), day) : orderLine(line, flatRate)),
    });
  }
}

/** A line with its article, or null. */
type LineWithArticle = FlatRateLine & { readonly article: Article | null };

/** The line for an order with prices that include VAT. Articles and flat rates have net prices. */
function withVat<L extends { price: number; vat_code: number }>(line: L, day: string): L {
  const price = priceWithVat(roundTo(String(line.price), 4), percentageOn(line.vat_code, day));
  return { ...line, price: Number(price) };
}

function orderLine({ article, ...line }: LineWithArticle, flatRate: FlatRateRow) {
  const isLabour = (line.article_kind ?? article?.article_kind) === LISTS.articlekinds.LABOUR;
  return {
    line_kind: isLabour ? LISTS.linekinds.LABOUR : LISTS.linekinds.ARTICLE,
    article_id: line.article_id,
    article_number: line.article_number,
    description: line.description || article?.description || flatRate.name,
    quantity: Number(line.quantity ?? 1),
    unit_type: line.unit_type ?? article?.unit_type ?? null,
    price: Number(line.price ?? article?.price ?? 0),
    vat_code: article?.vat_code ?? flatRate.vat_code ?? LISTS.vatcodes.HIGH,
    turnover_group_id: line.turnover_group_id ?? article?.turnover_group_id ?? flatRate.turnover_group_id,
    purchase_price: article?.purchase_price == null ? null : Number(article.purchase_price),
  };
}

/** Keeps the total of a flat rate after some of its lines were added or changed. */
export async function keepTotalOfLines(changes: readonly FlatRateLineChange[]): Promise<void> {
  const [first] = changes;
  if (!first) return;
  const articles = new Set(changes.flatMap(newlyPriced));
  if (articles.size > 0) await claimRecords(first.garage, Article.resource, [...articles]);
  await keepFlatRateTotal(first);
}

/**
 * The article whose price counts for a changed line, and did not before. A request that changes this price does not see
 * the line yet, so one of the two waits for the other at the article. A new line waits by its foreign key.
 */
function newlyPriced({ previous, next }: FlatRateLineChange): number[] {
  if (!previous || next.article_id === null || next.price !== null) return [];
  const isCounted = previous.price === null && previous.article_id === next.article_id;
  return isCounted ? [] : [next.article_id];
}

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
  // Written also if the total stays: a node of a cluster sees no lock of another node.
  if (total === parent.total_net) {
    await claimRecord(garage, FlatRate.resource, Number(parent.id));
    return;
  }
  refuse(largeAmount('total_net', total));
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
    await logMany(garage);
  }
}
