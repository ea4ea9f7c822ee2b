// A site that advertises a vehicle. A vehicle needs at least one site to be published.
import { choice, money, reference, timestamp, varchar } from '../model/fields/field.ts';
import { WEB_ADDRESS } from '../model/fields/validation.ts';
import { record } from '../model/records/record.ts';

export class VehicleAdvertisementSite extends record(
  'vehicleadvertisementsite',
  {
    vehicle_id: reference('vehicle', { required: true, fixed: true }),
    site_kind: choice('advertisementsites', { required: true, unique: 'vehicle_id' }),
    price: money({ min: 0 }),
    title: varchar(120),
    deeplink: varchar(255, { validation: WEB_ADDRESS }),
    publish_from: timestamp(),
    publish_until: timestamp({ after: 'publish_from' }),
  },
  {
    description: 'An advertisement site of a vehicle',
    parent: 'vehicle_id',
    // Adverts are for vehicles of the garage.
    about: 'nobody',
  },
) {}
