// One line of a flat rate.
import { choice, flag, int4, quantity, reference, varchar } from '../model/fields/field.ts';
import { type ChangeOf, type RowIn, record } from '../model/records/record.ts';

export class FlatRateLine extends record(
  'flatrateline',
  {
    flatrate_id: reference('flatrate', { required: true, fixed: true }),
    sort_order: int4({ description: 'Unique within the flat rate' }),
    article_id: reference('article'),
    article_number: varchar(40),
    article_kind: choice('articlekinds'),
    unit_type: choice('unittypes'),
    description: varchar(255),
    quantity: quantity(),
    price: quantity({ description: 'Net, a piece; empty: the price of the article' }),
    turnover_group_id: reference('turnovergroup'),
    is_manual_input: flag(),
    is_no_article_price: flag(),
  },
  {
    description: 'A line of a flat rate',
    parent: 'flatrate_id',
  },
) {}

export type FlatRateLineRow = RowIn<typeof FlatRateLine>;
export type FlatRateLineChange = ChangeOf<typeof FlatRateLine>;
