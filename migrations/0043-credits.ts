// A line of a credit note names the line of the invoice that it takes back.
import { changes } from './table.ts';

export const { up } = changes('orderlines', (t, has) => {
  if (!has('credited_line_id')) t.integer('credited_line_id');
  if (!has('orderlines__credited_line_id'))
    t.index(['owner_id', 'credited_line_id'], 'orderlines__credited_line_id');
  if (!has('orderlines__credited_line_id__reference'))
    t.foreign(['owner_id', 'credited_line_id'], 'orderlines__credited_line_id__reference')
      .references(['owner_id', 'id'])
      .inTable('orderlines');
});
