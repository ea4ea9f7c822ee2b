// The specification's eleven conditions of a flat rate's line, checked on the line after the change.
import { type Violation, violation } from '../errors.ts';
import { keepFlatRateTotal } from '../invoicing/flat-rate.ts';
import { claimRecord } from '../model/lists/find.ts';
import { rulesOf } from '../model/records/record.ts';
import { prepared } from '../model/statements/prepared.ts';
import { Article } from '../resources/article.ts';
import { FlatRate } from '../resources/flat-rate.ts';
import { FlatRateLine, type FlatRateLineChange, type FlatRateLineRow } from '../resources/flat-rate-line.ts';

rulesOf(FlatRateLine, {
  rules: [fillsInWhatBelongsTogether],
  refuses: {
    write: [
      violation('field_required', { field: 'turnover_group_id' }),
      violation('flatrateline_invalid', { field: 'is_manual_input', value: 1 }),
    ],
  },
  after: keepFlatRateTotal,
  afterAll: ([change]) => change && keepFlatRateTotal(change),
  afterDelete: keepFlatRateTotal,
});

async function fillsInWhatBelongsTogether(change: FlatRateLineChange): Promise<Violation[]> {
  const { next } = change;
  const found: Violation[] = [];
  const has = (field: keyof FlatRateLineRow) => next[field] !== null && next[field] !== '';
  const require = (field: keyof FlatRateLineRow) => found.push(violation('field_required', { field }));
  const refuse = (field: keyof FlatRateLineRow, value: unknown) =>
    found.push(violation('flatrateline_invalid', { field, value }));

  if (has('article_id') && has('quantity') && !has('turnover_group_id')) require('turnover_group_id');
  if (has('article_id') && next.is_manual_input === 1) refuse('is_manual_input', 1);
  if (next.is_no_article_price === 1) {
    if (!has('article_id')) refuse('is_no_article_price', 1);
    if (!has('price')) require('price');
    else if (Number(next.price) === 0) refuse('price', 0);
  }
  if (has('article_number') && next.is_manual_input !== 1 && !has('article_id')) require('article_id');
  if (has('sort_order') && (await isTaken(change))) refuse('sort_order', next.sort_order);
  if (has('article_id') && !has('article_number')) require('article_number');
  if (has('article_id') && has('article_number') && !(await belongs(change)))
    refuse('article_number', next.article_number);
  if (has('unit_type') && !has('article_kind')) require('article_kind');
  if (has('article_kind') && !has('unit_type')) require('unit_type');
  return found;
}

/** The flat rate is written, so two requests can't both find the place free. */
async function isTaken({ next, previous, garage, siblings }: FlatRateLineChange): Promise<boolean> {
  if (previous && previous.sort_order === next.sort_order) return false;
  if (siblings) return siblings.some(({ sort_order }) => sort_order === next.sort_order);
  await claimRecord(garage, FlatRate.resource, next.flatrate_id);
  // Prepared, because a flat rate may come with a thousand lines.
  const others = await prepared('place in a flat rate', (mark) =>
    FlatRateLine.ofMarked(mark)
      .select('id')
      .where('flatrate_id', mark('flatrate_id'))
      .where('sort_order', mark('sort_order'))
      .whereNot('id', mark('previous')),
  ).rows(garage, { ...next, previous: previous?.id ?? 0 });
  return others.length > 0;
}

/** An article that does not exist is left to the check of references. */
async function belongs({ next, garage, siblings = [] }: FlatRateLineChange): Promise<boolean> {
  const { article_id, article_number } = next;
  if (siblings.some((one) => one.article_id === article_id && one.article_number === article_number))
    return true;
  const article = await Article.of(garage).findOne({ id: article_id });
  return article === undefined || article.article_number === article_number;
}
