// The role of a contact for a vehicle, with its dates.
import { choice, reference, text, timestamp, varchar } from '../model/fields/field.ts';
import { type ChangeOf, type RowIn, record } from '../model/records/record.ts';

export class VehicleRoleLine extends record(
  'vehicleroleline',
  {
    vehicle_id: reference('vehicle', { required: true, fixed: true }),
    contact_id: reference('contact', { required: true }),
    role_kind: choice('vehicleroles', { required: true, indexed: true }),
    start_date: timestamp({ required: true }),
    end_date: timestamp({ indexed: true, after: 'start_date' }),
    contract_number: varchar(40, { personal: true }),
    notes: text({ personal: true }),
  },
  {
    description: 'The owner, driver or other role of a contact for a vehicle',
    parent: 'vehicle_id',
    about: {
      contact: 'contact_id',
      anonymised: 'emptied',
      title: { nl: 'Rollen bij voertuigen', en: 'Roles for vehicles' },
    },
    personalKey: true,
  },
) {}

export type VehicleRoleLineRow = RowIn<typeof VehicleRoleLine>;
export type VehicleRoleLineChange = ChangeOf<typeof VehicleRoleLine>;
