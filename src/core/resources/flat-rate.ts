// Work at a fixed price: a set of lines that is added to an order in one go.
import { choice, money, quantity, reference, text, timestamp, varchar } from '../model/fields/field.ts';
import { type RowIn, record } from '../model/records/record.ts';

export class FlatRate extends record(
  'flatrate',
  {
    code: varchar(30, { required: true, unique: 'owner' }),
    name: varchar(120, { required: true, indexed: true }),
    description: text(),
    vehicle_make: varchar(50),
    vehicle_model: varchar(80),
    fuel_kind: choice('fuelkinds'),
    labour_hours: quantity({ min: 0 }),
    vat_code: choice('vatcodes'),
    turnover_group_id: reference('turnovergroup'),
    valid_from: timestamp(),
    valid_until: timestamp({ after: 'valid_from' }),
    total_net: money({ readonly: true, fallback: '0.00' }),
  },
  { description: 'Work at a fixed price, with its lines' },
) {}

export type FlatRateRow = RowIn<typeof FlatRate>;

declare module '../model/records/record.ts' {
  interface ParentRows {
    flatrate: FlatRateRow;
  }
}
