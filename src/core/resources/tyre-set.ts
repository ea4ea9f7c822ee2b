// A set of tyres of a customer, which the garage stores or has mounted.
import { choice, int4, reference, text, timestamp, varchar } from '../model/fields/field.ts';
import { type RowIn, record } from '../model/records/record.ts';
import { LISTS } from '../trade/lists.ts';

const { STORED, MOUNTED } = LISTS.tyresetstatuses;

export class TyreSet extends record(
  'tyreset',
  {
    set_number: int4({
      readonly: true,
      counted: true,
      unique: 'owner',
      description: 'Counts up per owner from 1',
    }),
    contact_id: reference('contact', { required: true }),
    vehicle_id: reference('vehicle'),
    season: choice('tyreseasons', { required: true, indexed: true }),
    location: varchar(20, {
      unique: 'owner',
      uniqueColumn: {
        name: 'stored_location',
        of: (location, { tyreset_status }) => (tyreset_status === STORED ? location : null),
      },
      personal: false,
      description: 'Where the set is stored: one stored set at most. A set that leaves the storage loses it',
    }),
    tyreset_status: choice('tyresetstatuses', { indexed: true, fallback: MOUNTED }),
    stored_at: timestamp({ description: 'Set when the set is stored' }),
    out_at: timestamp({ description: 'Set when the set leaves the storage' }),
    notes: text({ personal: true }),
  },
  {
    description: 'A set of tyres of a customer',
    about: {
      contact: 'contact_id',
      anonymised: 'emptied',
      title: { nl: 'Bandensets', en: 'Sets of tyres' },
    },
    personalKey: true,
  },
) {}

export type TyreSetRow = RowIn<typeof TyreSet>;

declare module '../model/records/record.ts' {
  interface ParentRows {
    tyreset: TyreSetRow;
  }
}
