// Turns the lines of a flat rate into lines of an order. What a flat rate line leaves open comes from its
// article, then from the flat rate itself.
import { problem } from '../errors.ts';
import type { Row } from '../model/field.ts';
import { findRecord } from '../model/find.ts';
import { resourceNamed } from '../model/registry.ts';
import type { Session } from '../model/session.ts';
import { addRecord } from '../model/store.ts';
import { LISTS } from '../trade/lists.ts';

/** Adds the lines in their order, behind those that the order has. Throws Problem as adding a line does. */
export async function addFlatRate(
  session: Session,
  owner: number,
  orderId: number,
  flatRateId: number,
): Promise<void> {
  const flatRate = await findRecord(session, resourceNamed('flatrate'), owner, flatRateId);
  const field = { field: 'flatrate_id', value: flatRateId };
  if (!flatRate) throw problem('reference_unknown', field);
  if (flatRate.is_blocked === 1 || flatRate.is_archived === 1)
    throw problem('value_invalid', { ...field, validation: 'not blocked, not archived' });
  const lines = await session.rows(
    'SELECT l.*, a.description AS article_description, a.price AS article_price, a.purchase_price AS article_purchase_price, ' +
      'a.vat_code AS article_vat_code, a.turnover_group_id AS article_turnover_group_id FROM flatratelines l ' +
      'LEFT JOIN articles a ON a.owner_id = l.owner_id AND a.id = l.article_id ' +
      'WHERE l.owner_id = ? AND l.flatrate_id = ? ORDER BY l.sort_order IS NULL, l.sort_order, l.id',
    [owner, flatRateId],
  );
  if (lines.length === 0) throw problem('array_empty', { field: 'flatrateline' });
  const [last] = await session.rows(
    'SELECT MAX(sort_order) AS place FROM orderlines WHERE owner_id = ? AND order_id = ?',
    [owner, orderId],
  );
  let place = Number(last?.place ?? 0);
  for (const line of lines) {
    place += 1;
    await addRecord(session, resourceNamed('orderline'), owner, {
      order_id: orderId,
      sort_order: place,
      ...orderLine(line, flatRate),
    });
  }
}

function orderLine(line: Row, flatRate: Row): Record<string, unknown> {
  const isLabour = line.article_kind === LISTS.articlekinds.LABOUR;
  return {
    line_kind: isLabour ? LISTS.linekinds.LABOUR : LISTS.linekinds.ARTICLE,
    article_id: line.article_id,
    article_number: line.article_number,
    description: line.description || line.article_description || flatRate.name,
    quantity: Number(line.quantity ?? 1),
    unit_type: line.unit_type,
    price: Number(line.price ?? line.article_price ?? 0),
    vat_code: line.article_vat_code ?? flatRate.vat_code ?? LISTS.vatcodes.HIGH,
    turnover_group_id: line.turnover_group_id ?? line.article_turnover_group_id ?? flatRate.turnover_group_id,
    purchase_price: line.article_purchase_price == null ? null : Number(line.article_purchase_price),
  };
}
