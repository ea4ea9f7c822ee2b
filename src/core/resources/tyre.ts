// One tyre of a set.
import { choice, quantity, reference, text, varchar } from '../model/fields/field.ts';
import { DOT } from '../model/fields/validation.ts';
import { record } from '../model/records/record.ts';

const MOST_TREAD_MM = 20;

export class Tyre extends record(
  'tyre',
  {
    tyreset_id: reference('tyreset', { required: true, fixed: true }),
    position: choice('tyrepositions', { required: true, unique: 'tyreset_id' }),
    brand: varchar(50, { personal: false }),
    model: varchar(50, { personal: false }),
    size: varchar(30, { personal: false }),
    dot: varchar(4, { validation: DOT, personal: false, description: 'Week and year of production: 0126' }),
    tread_mm: quantity({ min: 0, max: MOST_TREAD_MM, description: 'Depth of the tread' }),
    notes: text({ personal: true }),
  },
  {
    description: 'A tyre of a set',
    parent: 'tyreset_id',
    about: {
      through: ['tyreset_id'],
      anonymised: 'emptied',
      title: { nl: 'Banden', en: 'Tyres' },
    },
    personalKey: true,
  },
) {}
