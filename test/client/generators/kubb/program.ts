// A client as an integrator writes it, on the functions of kubb with axios. The test above this folder compiles and
// runs it.
import { setConfig } from '@kubb/plugin-client/clients/axios';
import { isAxiosError } from 'axios';
import {
  addContact,
  authenticateByBody,
  type ContactNew,
  listContact,
  type ReadContact404,
  type Refusal,
  readContact,
} from './client/index.ts';

const [baseURL = '', api_key = '', username = '', password = ''] = process.argv.slice(2);
setConfig({ baseURL });

const { token } = await authenticateByBody({ api_key, username, password });
setConfig({ baseURL, headers: { token } });

const body: ContactNew = {
  contact_kind: 1,
  last_name: 'Jansen',
  city: 'Utrecht',
  country_id: 1,
  contactcommunication: [{ communication_type: 4, value: 'jansen@example.nl' }],
};
const { id } = (await addContact(body, { 'Idempotency-Key': `contact-${username}` })).data;

const read = (await readContact(id)).data;

const query = { filter: `last_name[eq]:Jansen,id[eq]:${id}`, expand: 'contactcommunication', page_size: 10 };
const listed = await listContact(query);

const unknown = await readContact(2147483647).catch((error: unknown) => error);

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
    refused:
      isAxiosError<ReadContact404>(unknown) && unknown.response ? explain(unknown.response.data) : undefined,
  }),
);
