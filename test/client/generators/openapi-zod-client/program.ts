// A client as an integrator writes it, on the schemas of openapi-zod-client. The test above this folder compiles and
// runs it. The client checks each body and each answer by its schema.
import { isErrorFromAlias, type ZodiosBodyByAlias } from '@zodios/core';
import type { z } from 'zod';
import { api, createApiClient, type schemas } from './client/api.ts';

type ContactNew = ZodiosBodyByAlias<typeof api.api, 'add_contact'>;
type Refusal = z.infer<typeof schemas.refusal>;

const [baseUrl = '', api_key = '', username = '', password = ''] = process.argv.slice(2);
const garage = createApiClient(baseUrl);

const { token } = await garage.authenticateByBody({ api_key, username, password });
garage.axios.defaults.headers.token = token;

const body: ContactNew = {
  contact_kind: 1,
  last_name: 'Jansen',
  city: 'Utrecht',
  country_id: 1,
  contactcommunication: [{ communication_type: 4, value: 'jansen@example.nl' }],
};
const headers = { 'Idempotency-Key': `contact-${username}` };
const { id } = (await garage.add_contact(body, { headers })).data;

const read = (await garage.read_contact({ params: { id } })).data;

const queries = {
  filter: `last_name[eq]:Jansen,id[eq]:${id}`,
  expand: 'contactcommunication',
  page_size: 10,
};
const listed = await garage.list_contact({ queries });

const unknown: unknown = await garage.read_contact({ params: { id: 2147483647 } }).catch((error) => error);

/** Codes of the description only. */
function explain({ code, errors }: Refusal): string {
  // @ts-expect-error: there is no such code
  if (code === 'contact_lost') return '';
  return code === 'record_unknown' ? `unknown: ${errors.map(({ field }) => field).join(', ')}` : code;
}

// @ts-expect-error: no contact without a kind
export const incomplete: ContactNew = { last_name: 'Jansen', country_id: 1 };

process.stdout.write(
  JSON.stringify({
    city: read.city,
    addresses: listed.data.flatMap((one) => one.contactcommunication?.map(({ value }) => value)),
    more: listed.has_more,
    refused: isErrorFromAlias(api.api, 'read_contact', unknown)
      ? explain(unknown.response.data as Refusal)
      : undefined,
  }),
);
