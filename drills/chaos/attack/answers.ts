// Large answers, many at once: pages of contacts with the longest notes, sorted by these notes.
import { writeRows } from '../../../test/support/database/many-rows.ts';
import type { Scene } from '../scene.ts';
import type { Deed, Part, Target } from './part.ts';
import { drain, repeat, Tally } from './request.ts';

const AT_ONCE = 40;
const CONTACTS = 1_000;
const NOTES_CHARACTERS = 16_000;
const PAGES = '/contact?page_size=1000';

const addContacts = ({ tenant, server }: Scene): Promise<void> =>
  writeRows(server.database, tenant.owner, { table: 'contacts', count: CONTACTS }, (index) => ({
    contact_number: 1_000_000 + index,
    contact_kind: 1,
    last_name: `Long ${index}`,
    country_id: 1,
    language: 'nl',
    notes: `${index} `.repeat(NOTES_CHARACTERS).slice(0, NOTES_CHARACTERS),
  }));

export const answers: Part = {
  prepare: addContacts,
  attacks: {
    'pages sorted by notes': (target) => readPages(target, `${PAGES}&sort=notes`),
    'pages by ID': (target) => readPages(target, PAGES),
  },
  mostMemory: 900,
};

async function readPages(target: Target, path: string): Promise<Deed> {
  const outcomes = new Tally();
  await repeat(target, AT_ONCE, async () => outcomes.add(await drain(target, path)));
  return { did: `${outcomes}` };
}
