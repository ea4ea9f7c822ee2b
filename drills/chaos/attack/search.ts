// Searches, many at once, in a garage with many contacts: words that are nowhere, words that are everywhere, and ten
// patterns in each text.
import { writeRows } from '../../../test/support/database/many-rows.ts';
import type { Scene } from '../scene.ts';
import type { Deed, Part, Target } from './part.ts';
import { drain, repeat, Tally } from './request.ts';

const AT_ONCE = 40;
const CONTACTS = 100_000;
const NOWHERE = ['qzx', 'xqz', 'zqx', 'qxz', 'xzq'].join('%20');
const EVERYWHERE = ['straat', 'stad', 'naam'].join('%20');
const PATTERNS = Array.from({ length: 10 }, (_, at) => `street[has]:qz${at}ss`);

/** The rows are written as the release before writes them: the first search folds them. */
const addContacts = ({ tenant, server }: Scene): Promise<void> =>
  writeRows(server.database, tenant.owner, { table: 'contacts', count: CONTACTS }, (index) => ({
    contact_number: 1_000_000 + index,
    contact_kind: 1,
    last_name: `Naam ${index}`,
    street: `Straße straat ${index}`,
    city: `Stad ${index % 100}`,
    country_id: 1,
    language: 'nl',
  }));

export const search: Part = {
  prepare: addContacts,
  attacks: {
    'words that are nowhere': (target) => ask(target, `/contact?search=${NOWHERE}&count=1`),
    'words that are everywhere': (target) => ask(target, `/search?q=${EVERYWHERE}`),
    'ten patterns': (target) => ask(target, `/contact?filter=any(${PATTERNS})`),
  },
  mostMemory: 400,
};

/** Each is answered, or stopped by a limit of the service. */
async function ask(target: Target, path: string): Promise<Deed> {
  const answers = new Tally();
  await repeat(target, AT_ONCE, async () => answers.add(await drain(target, path)));
  const wrong = answers.count(({ status }) => ![200, 429, 503].includes(status));
  return { did: `${answers}`, wrong: wrong > 0 ? [`${wrong} answers are wrong`] : [] };
}
