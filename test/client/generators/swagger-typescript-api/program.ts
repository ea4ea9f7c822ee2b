// A client as an integrator writes it, on the class of swagger-typescript-api. The test above this folder compiles and
// runs it.
import { Api, type ContactNew, type HttpResponse, type Refusal } from './client/api.ts';

const [baseUrl = '', api_key = '', username = '', password = ''] = process.argv.slice(2);
const garage = new Api<string>({
  baseUrl,
  securityWorker: (token) => (token === null ? {} : { headers: { token } }),
});

const login = await garage.authenticate.authenticateByBody({ api_key, username, password });
garage.setSecurityData(login.data.token);

const body: ContactNew = {
  contact_kind: 1,
  last_name: 'Jansen',
  city: 'Utrecht',
  country_id: 1,
  contactcommunication: [{ communication_type: 4, value: 'jansen@example.nl' }],
};
const headers = { 'Idempotency-Key': `contact-${username}` };
const { id } = (await garage.contact.addContact(body, { headers })).data.data;

const read = (await garage.contact.readContact(id)).data.data;

const query = { filter: `last_name[eq]:Jansen,id[eq]:${id}`, expand: 'contactcommunication', page_size: 10 };
const listed = (await garage.contact.listContact(query)).data;

// This client throws the answer of a refused request.
const unknown = await garage.contact
  .readContact(2147483647)
  .catch((answer: HttpResponse<never, Refusal>) => answer);

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
    refused: explain(unknown.error),
  }),
);
