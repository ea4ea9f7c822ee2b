// The folded texts by which records are found. Only the service folds, so it fills them once this has run: until then, and
// after a process of the release before has written a row, the database keeps in `unfolded_at` that the texts are missing.
import { changes, together } from './table.ts';

const TABLES = ['contacts', 'contactcommunications', 'vehicles', 'orders', 'articles'];
/** A search of contacts finds them by their communications, and looks at the texts of a contact's own ones, on indexes. */
const PARENTS: Readonly<Record<string, string>> = { contactcommunications: 'contact_id' };

// Columns and indexes are added by statements of their own: then no server copies the table.
export const { up } = together(
  ...TABLES.flatMap((name) => [
    changes(name, (t, has) => {
      if (!has('search_text')) t.specificType('search_text', 'varbinary(3000)');
      if (!has('unfolded_at'))
        t.specificType('unfolded_at', 'datetime null default current_timestamp on update current_timestamp');
    }),
    changes(name, (t, has) => {
      const parent = PARENTS[name];
      if (!has(`${name}__search_text`))
        t.index(['owner_id', 'search_text', ...(parent ? [parent] : [])], `${name}__search_text`);
      if (parent && !has(`${name}__${parent}__search_text`))
        t.index(['owner_id', parent, 'search_text'], `${name}__${parent}__search_text`);
      if (!has(`${name}__unfolded_at`)) t.index(['owner_id', 'unfolded_at'], `${name}__unfolded_at`);
    }),
  ]),
);
