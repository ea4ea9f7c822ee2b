// A client as an integrator writes it, on the functions of @hey-api/openapi-ts. The test above this folder compiles and
// runs it.
import { client } from './client/client.gen.js';
import {
  addContact,
  authenticateByBody,
  type ContactNew,
  listContact,
  type Refusal,
  readContact,
} from './client/index.js';

const [baseUrl = '', api_key = '', username = '', password = ''] = process.argv.slice(2);
client.setConfig({ baseUrl });

const login = await authenticateByBody({ body: { api_key, username, password }, throwOnError: true });
client.setConfig({ auth: login.data.token });

const body: ContactNew = {
  contact_kind: 1,
  last_name: 'Jansen',
  city: 'Utrecht',
  country_id: 1,
  contactcommunication: [{ communication_type: 4, value: 'jansen@example.nl' }],
};
const headers = { 'Idempotency-Key': `contact-${username}` };
const added = await addContact({ body, headers, throwOnError: true });
const { id } = added.data.data;

const read = (await readContact({ path: { id }, throwOnError: true })).data.data;

const query = { filter: `last_name[eq]:Jansen,id[eq]:${id}`, expand: 'contactcommunication', page_size: 10 };
const listed = (await listContact({ query, throwOnError: true })).data;

const unknown = await readContact({ path: { id: 2147483647 } });

/** Codes of the description only. */
function explain({ code, errors }: Refusal): string {
  // @ts-expect-error: there is no such code
  if (code === 'contact_lost') return '';
  return code === 'record_unknown' ? `unknown: ${errors.map(({ field }) => field).join(', ')}` : code;
}

// @ts-expect-error: no contact without a kind
export const incomplete: ContactNew = { last_name: 'Jansen', country_id: 1 };
// @ts-expect-error: there is no such field
export const colour = read.colour;

process.stdout.write(
  JSON.stringify({
    city: read.city,
    addresses: listed.data.flatMap((one) => one.contactcommunication?.map(({ value }) => value)),
    more: listed.has_more,
    refused: unknown.error && explain(unknown.error),
  }),
);
