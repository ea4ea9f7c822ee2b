// Turns the lines of a flat rate into lines of an order. If a flat rate line lacks a value, the value of its article
// counts, then the value of the flat rate.

import { problem } from '../../errors.ts';
import { findRecord } from '../../model/lists/find.ts';
import type { Garage } from '../../model/statements/garage.ts';
import { addRecord } from '../../model/writes/store.ts';
import type { Article } from '../../resources/article.ts';
import { FlatRate, type FlatRateRow } from '../../resources/flat-rate.ts';
import { FlatRateLine } from '../../resources/flat-rate-line.ts';
import type { OrderRow } from '../../resources/order.ts';
import { OrderLine } from '../../resources/order-line.ts';
import { roundTo } from '../../trade/decimal.ts';
import { LISTS } from '../../trade/lists.ts';
import { priceWithVat } from '../../trade/totals.ts';

/** Appends the lines to the order, in the order of the flat rate. Throws a Problem like any added line. */
export async function addFlatRate(
  garage: Garage,
  order: Pick<OrderRow, 'id' | 'is_vat_included'>,
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
  const last = await OrderLine.of(garage).where('order_id', order.id).max('sort_order as sort_order').first();
  let place = last?.sort_order ?? 0;
  for (const line of lines) {
    place += 1;
    await addRecord(garage, OrderLine.resource, {
      order_id: order.id,
      sort_order: place,
      ...(order.is_vat_included === 1 ? withVat(orderLine(line, flatRate)) : orderLine(line, flatRate)),
    });
  }
}

/** A line with its article, or null. */
type LineWithArticle = FlatRateLine & { readonly article: Article | null };

/** The line for an order with prices that include VAT. Articles and flat rates have net prices. */
function withVat<L extends { price: number; vat_code: number }>(line: L): L {
  return { ...line, price: Number(priceWithVat(roundTo(String(line.price), 4), line.vat_code)) };
}

function orderLine({ article, ...line }: LineWithArticle, flatRate: FlatRateRow) {
  const isLabour = line.article_kind === LISTS.articlekinds.LABOUR;
  return {
    line_kind: isLabour ? LISTS.linekinds.LABOUR : LISTS.linekinds.ARTICLE,
    article_id: line.article_id,
    article_number: line.article_number,
    description: line.description || article?.description || flatRate.name,
    quantity: Number(line.quantity ?? 1),
    unit_type: line.unit_type,
    price: Number(line.price ?? article?.price ?? 0),
    vat_code: article?.vat_code ?? flatRate.vat_code ?? LISTS.vatcodes.HIGH,
    turnover_group_id: line.turnover_group_id ?? article?.turnover_group_id ?? flatRate.turnover_group_id,
    purchase_price: article?.purchase_price == null ? null : Number(article.purchase_price),
  };
}
