// A reading of the odometer of a vehicle. A recognised company reports readings of larger work to the vehicle
// authority.
import { choice, int4, reference, timestamp, varchar } from '../model/fields/field.ts';
import { record } from '../model/records/record.ts';

export class MileageReading extends record(
  'mileagereading',
  {
    vehicle_id: reference('vehicle', { required: true, fixed: true }),
    order_id: reference('order'),
    reading: int4({ required: true, min: 0, fixed: true, description: 'Kilometres' }),
    read_at: timestamp({ required: true, indexed: true }),
    report_status: choice('reportstatuses', {
      indexed: true,
      description:
        'DUE: to be reported to the vehicle authority. The service sets it; who reports sets what follows',
    }),
    reported_at: timestamp(),
    judgement: varchar(40, {
      personal: false,
      description: 'The answer of the vehicle authority to the reading',
    }),
  },
  {
    description: 'A reading of the odometer of a vehicle',
    // The last reading of a vehicle: each new mileage of an order is compared with it.
    indexes: [['vehicle_id', 'read_at']],
    about: {
      through: ['order_id', 'vehicle_id'],
      anonymised: 'emptied',
      title: { nl: 'Tellerstanden', en: 'Mileage readings' },
    },
    personalKey: true,
  },
) {}
