// The former plates of a vehicle. /updatelicenseplate writes them; `expand` on a vehicle shows them.
import { reference, timestamp, varchar } from '../model/fields/field.ts';
import { record } from '../model/records/record.ts';

export class LicensePlateHistory extends record(
  'licenseplatehistory',
  {
    vehicle_id: reference('vehicle', { required: true, readonly: true }),
    license_plate: varchar(12, {
      required: true,
      readonly: true,
      printed: true,
      personal: true,
      description: 'The plate until then',
    }),
    changed_at: timestamp({ required: true, readonly: true }),
  },
  {
    table: 'licenseplatehistory',
    methods: [],
    description: 'A license plate that a vehicle had before',
    about: {
      through: ['vehicle_id'],
      anonymised: 'deleted',
      isPrinted: true,
      title: { nl: 'Eerdere kentekens', en: 'Earlier license plates' },
    },
  },
) {}
