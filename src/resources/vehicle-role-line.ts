// The role of a contact for a vehicle, with its dates. A vehicle has one owner at a time. Each request that makes an
// owner writes the row of the vehicle, so two requests at once can't both find the vehicle without an owner.
import { violation } from '../errors.ts';
import { choice, reference, text, timestamp, varchar } from '../model/field.ts';
import { claimRecord } from '../model/find.ts';
import { type Change, record } from '../model/record.ts';
import { modelNamed, resourceNamed } from '../model/registry.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseNow } from '../trade/timestamp.ts';

interface RoleLine {
  id: number;
  vehicle_id: number;
  role_kind: number;
  end_date: string | null;
}

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
    about: { contact: 'contact_id', anonymised: 'emptied' },
    personalKey: true,
    rules: [oneOwner],
    refuses: { write: [violation('vehicle_has_owner')] },
  },
) {}

async function oneOwner({ next, previous, owner, session }: Change<RoleLine>) {
  const now = databaseNow();
  if (next.role_kind !== LISTS.vehicleroles.OWNER || (next.end_date !== null && next.end_date <= now))
    return undefined;
  await claimRecord(session, resourceNamed('vehicle'), owner, next.vehicle_id);
  const other = await modelNamed('vehicleroleline')
    .query(session.knex)
    .modify('owned', owner)
    .where({ vehicle_id: next.vehicle_id, role_kind: LISTS.vehicleroles.OWNER })
    .where((line) => line.whereNull('end_date').orWhere('end_date', '>', now))
    .whereNot('id', previous?.id ?? 0)
    .first();
  return other ? violation('vehicle_has_owner') : undefined;
}
