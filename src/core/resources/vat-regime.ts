// The settings of the VAT return from a day on: the length of its periods, and how the margin of used vehicles counts.
// The first row holds from the beginning of time.
import { choice, timestamp } from '../model/fields/field.ts';
import { type Change, type RowIn, record } from '../model/records/record.ts';

export class VatRegime extends record(
  'vatregime',
  {
    valid_from: timestamp({
      required: true,
      unique: 'owner',
      description:
        'Means the day of this instant on the calendar of the garage. It begins a period, before and from then on',
    }),
    vat_period: choice('vatperiods', { description: 'If empty: as the row before' }),
    margin_method: choice('marginmethods', { description: 'If empty: as the row before' }),
  },
  {
    description: 'The settings of the VAT return from a day on',
    needs: { GET: 'ADMIN', POST: 'ADMIN', PUT: 'ADMIN', DELETE: 'ADMIN' },
  },
) {}

export type VatRegimeRow = RowIn<typeof VatRegime>;
export type VatRegimeChange = Change<VatRegimeRow>;
