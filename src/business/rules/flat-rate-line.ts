// The specification's eleven conditions of a flat rate's line, checked on the line after the change.
import { type Violation, violation } from '../../core/errors.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import { marks, padded, prepared } from '../../core/model/statements/prepared.ts';
import { siblingFinder } from '../../core/model/writes/sibling.ts';
import { Article } from '../../core/resources/article.ts';
import { FlatRate } from '../../core/resources/flat-rate.ts';
import {
  FlatRateLine,
  type FlatRateLineChange,
  type FlatRateLineRow,
} from '../../core/resources/flat-rate-line.ts';
import { keepFlatRateTotal, keepTotalOfLines } from '../invoicing/flat-rate.ts';

rulesOf(FlatRateLine, {
  rules: [fillsInWhatBelongsTogether],
  refuses: {
    write: [
      violation('field_required', { field: 'turnover_group_id' }),
      violation('flatrateline_invalid', { field: 'is_manual_input', value: 1 }),
    ],
  },
  after: (change) => keepTotalOfLines([change]),
  afterAll: keepTotalOfLines,
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

type Placed = Pick<FlatRateLineRow, 'id' | 'sort_order'>;

const findLine = siblingFinder<Placed, FlatRateLineRow>({
  parent: FlatRate.resource,
  within: 'flatrate_id',
  // Prepared, because a flat rate may come with a thousand lines.
  read: ({ next, garage, siblings }, apart) => {
    const isForAll = siblings?.isStill === true;
    const ids = padded(apart);
    return prepared(`places in a flat rate ${isForAll} ${ids.length}`, (mark) => {
      const lines = FlatRateLine.ofMarked(mark)
        .select('id', 'sort_order')
        .where('flatrate_id', mark('flatrate_id'))
        .whereNotIn('id', marks(mark, 'ids', ids.length));
      return isForAll ? lines.whereNotNull('sort_order') : lines.where('sort_order', mark('sort_order'));
    }).rows<Placed>(garage, { ...next, ids });
  },
});

async function isTaken(change: FlatRateLineChange): Promise<boolean> {
  const { next, previous, siblings } = change;
  if (!siblings && previous?.sort_order === next.sort_order) return false;
  return (await findLine(change, ({ sort_order }) => sort_order === next.sort_order)) !== undefined;
}

/** An article that does not exist is left to the check of references. */
async function belongs({ next, previous, garage, siblings }: FlatRateLineChange): Promise<boolean> {
  const { article_id, article_number } = next;
  const others = [...(siblings?.accepted ?? []), ...(previous ? [previous] : [])];
  if (others.some((one) => one.article_id === article_id && one.article_number === article_number))
    return true;
  const article = await Article.of(garage).findOne({ id: article_id });
  return article === undefined || article.article_number === article_number;
}
