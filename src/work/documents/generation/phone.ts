// Telephone numbers of a customer, for the workshop.
import type { Garage } from '../../../core/model/statements/garage.ts';
import { ContactCommunication } from '../../../core/resources/contact-communication.ts';
import { LISTS } from '../../../core/trade/lists.ts';

const { MOBILE, PHONE } = LISTS.communicationtypes;
const MOST_PHONES = 2;

/** The newest numbers, mobile ones first. */
export async function readPhones(garage: Garage, contact_id: number): Promise<string[]> {
  const rows = await ContactCommunication.of(garage)
    .select('value')
    .where({ contact_id })
    .whereIn('communication_type', [MOBILE, PHONE])
    .orderBy([
      { column: 'communication_type', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(MOST_PHONES);
  return rows.map(({ value }) => value);
}
