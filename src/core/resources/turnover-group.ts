// The ledger accounts of a kind of turnover.
import { choice, int4, varchar } from '../model/fields/field.ts';
import { record } from '../model/records/record.ts';

export class TurnoverGroup extends record(
  'turnovergroup',
  {
    code: varchar(10, { required: true, unique: 'owner' }),
    name: varchar(80, { required: true, indexed: true }),
    ledger_account: varchar(20),
    cost_ledger_account: varchar(20),
    stock_ledger_account: varchar(20, {
      description: 'Where it stands, a sale also posts its cost against this stock',
    }),
    vat_code: choice('vatcodes', { required: true }),
    sort_order: int4({ indexed: true }),
  },
  { description: 'A group of turnover and its ledger accounts' },
) {}
