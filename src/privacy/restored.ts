// A restore brings the contacts of an older backup back. Those that were anonymised since come back anonymised.

import { instantText } from '../model/fragment.ts';
import type { Session } from '../model/session.ts';
import { Contact } from '../resources/contact.ts';
import { anonymise } from './anonymise.ts';
import { Anonymised, addToList, digestOf, readOrigin } from './anonymised.ts';

/**
 * Anonymises the contacts of an owner that are on a list of this installation or on the `given` one, and answers
 * how many. The owner gets the given list too, for the next restore.
 */
export async function anonymiseListed(
  session: Session,
  owner: number,
  given: readonly string[],
): Promise<number> {
  const { knex } = session;
  const listed = new Set(given);
  for (const { digest } of await Anonymised.query(knex).distinct('digest')) listed.add(digest);
  if (listed.size === 0) return 0;
  const origin = await readOrigin(session, owner);
  const contacts = await Contact.of(session, owner).select(
    'id',
    'contact_number',
    instantText('contacts', 'created_at'),
  );
  const found = contacts.filter((contact) => listed.has(digestOf(origin, contact)));
  for (const { id } of found) await anonymise(session, owner, id);
  await addToList(session, owner, given);
  return found.length;
}
