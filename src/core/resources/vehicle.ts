// A car of a customer or of the stock. Its license plate changes only through /updatelicenseplate, which keeps the old
// plate.
import { randomInt } from 'node:crypto';
import { choice, int4, money, reference, text, timestamp, varchar } from '../model/fields/field.ts';
import { LICENSE_PLATE, VIN } from '../model/fields/validation.ts';
import { type RowIn, record } from '../model/records/record.ts';
import { plateKey } from '../trade/identity/license-plate.ts';
import { LISTS } from '../trade/lists.ts';

const { NOT_PUBLISHED } = LISTS.publishstatuses;
const ANONYMOUS = 'ANON-';
const BASE = 36;
const RANDOM_CHARACTERS = 7;

export class Vehicle extends record(
  'vehicle',
  {
    license_plate: varchar(12, {
      required: true,
      unique: 'owner',
      uniqueColumn: { name: 'license_plate_key', of: plateKey, isWhole: true },
      fixed: 'license_plate_fixed',
      same: (plate, { license_plate }) => plateKey(String(plate)) === plateKey(String(license_plate)),
      validation: LICENSE_PLATE,
      printed: true,
      personal: true,
      anonymous: anonymousPlate,
      description: 'In capitals with dashes; unique without them',
    }),
    plate_country_id: reference('country'),
    vin: varchar(17, { unique: 'owner', printed: true, personal: true, validation: VIN }),
    vehicle_kind: choice('vehiclekinds', { required: true, indexed: true }),
    make: varchar(50, { required: true, indexed: true, printed: true, personal: false }),
    model: varchar(80, { required: true, printed: true, personal: false }),
    version_name: varchar(120, { printed: true, personal: false }),
    fuel_kind: choice('fuelkinds'),
    transmission_kind: choice('transmissionkinds'),
    color: varchar(40, { personal: false }),
    first_registration_date: timestamp(),
    apk_expiry_date: timestamp({ indexed: true }),
    mileage: int4({ min: 0, printed: true, description: 'Kilometres' }),
    engine_number: varchar(30, { personal: true }),
    power_kw: int4({ min: 0 }),
    stock_status: choice('stockstatuses', {
      required: true,
      indexed: true,
      description:
        'Follows the invoices of sales, purchases and trade-ins, and the credit notes of the whole',
    }),
    tax_kind: choice('taxkinds'),
    purchase_date: timestamp(),
    purchase_price: money({ min: 0, internal: true }),
    sale_price: money({ min: 0 }),
    bpm_amount: money({ min: 0 }),
    bpm_paid: money({
      min: 0,
      internal: true,
      description:
        'BPM that the garage paid: part of the cost in the margin. A purchase of a car that was sold empties it',
    }),
    warranty_end_date: timestamp(),
    publish_status: choice('publishstatuses', { indexed: true, readonly: true, fallback: NOT_PUBLISHED }),
    published_at: timestamp({ readonly: true }),
    advert_text: text({ personal: false }),
    notes: text({ personal: true }),
  },
  {
    description: 'A vehicle of a customer or of the stock',
    needs: { DELETE: 'ADMIN' },
    about: { byRole: true, anonymised: 'emptied', title: { nl: 'Voertuigen', en: 'Vehicles' } },
    personalKey: true,
    folded: { named: ['license_plate'], own: ['vin', 'make', 'model', 'version_name'] },
    search: {
      also: [],
      title: ({ license_plate }) => license_plate,
      subtitle: ({ make, model }) => `${make} ${model}`,
    },
  },
) {}

/**
 * What stands for the plate of somebody who was anonymised, such as `ANON-K3J90QZ`: random, since it must be unique
 * and lead to nobody. A plate of that form stays.
 */
function anonymousPlate(plate: string): string {
  if (plate.startsWith(ANONYMOUS)) return plate;
  const characters = Array.from({ length: RANDOM_CHARACTERS }, () => randomInt(BASE).toString(BASE));
  return ANONYMOUS + characters.join('').toUpperCase();
}

export type VehicleRow = RowIn<typeof Vehicle>;

declare module '../model/records/record.ts' {
  interface ParentRows {
    vehicle: VehicleRow;
  }
}
