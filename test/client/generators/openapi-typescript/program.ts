// A client as an integrator writes it, on types of openapi-typescript. The test above this folder compiles and runs it.
import createClient from 'openapi-fetch';
import type { components, paths } from './client/api.ts';

type Refusal = components['schemas']['refusal'];

const [baseUrl = '', api_key = '', username = '', password = ''] = process.argv.slice(2);
const garage = createClient<paths>({ baseUrl });

/** The answer, or an error that says why there is none. */
function demand<T>({ data, error }: { data?: T; error?: Refusal }): T {
  if (data !== undefined) return data;
  throw new Error(`${error?.code}: ${error?.message}`);
}

const { token } = demand(await garage.POST('/authenticate', { body: { api_key, username, password } }));
garage.use({
  onRequest: ({ request }) => {
    request.headers.set('token', token);
    return request;
  },
});

const body: components['schemas']['contactNew'] = {
  contact_kind: 1,
  last_name: 'Jansen',
  city: 'Utrecht',
  country_id: 1,
  contactcommunication: [{ communication_type: 4, value: 'jansen@example.nl' }],
};
const header = { 'Idempotency-Key': `contact-${username}` };
const { id } = demand(await garage.POST('/contact', { params: { header }, body })).data;

const read = demand(await garage.GET('/contact/{id}', { params: { path: { id } } })).data;

const query = { filter: `last_name[eq]:Jansen,id[eq]:${id}`, expand: 'contactcommunication', page_size: 10 };
const listed = demand(await garage.GET('/contact', { params: { query } }));

const unknown = await garage.GET('/contact/{id}', { params: { path: { id: 2147483647 } } });

/** Codes of the description only, and fields of the description only. */
function explain({ code, errors }: Refusal): string {
  // @ts-expect-error: there is no such code
  if (code === 'contact_lost') return '';
  return code === 'record_unknown' ? `unknown: ${errors.map(({ field }) => field).join(', ')}` : code;
}

// @ts-expect-error: no contact without a kind
export const incomplete: components['schemas']['contactNew'] = { last_name: 'Jansen', country_id: 1 };
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
