// A client as an integrator writes it, on the functions of orval. The test above this folder compiles and runs it. The
// base address is that of the description.
import {
  addContact,
  authenticateByBody,
  type ContactNew,
  listContact,
  type Refusal,
  readContact,
} from './client/api.ts';

const [, api_key = '', username = '', password = ''] = process.argv.slice(2);

/** The data of the answer with this status, or an error that says why there is another one. */
function demand<T extends { status: number; data: unknown }, S extends number>(
  answer: T,
  status: S,
): Extract<T, { status: S }>['data'] {
  if (answer.status === status) return answer.data;
  throw new Error(`${answer.status}: ${JSON.stringify(answer.data)}`);
}

const { token } = demand(await authenticateByBody({ api_key, username, password }), 200);
const headers = { token };

const body: ContactNew = {
  contact_kind: 1,
  last_name: 'Jansen',
  city: 'Utrecht',
  country_id: 1,
  contactcommunication: [{ communication_type: 4, value: 'jansen@example.nl' }],
};
const idempotent = { ...headers, 'Idempotency-Key': `contact-${username}` };
const { id } = demand(await addContact(body, { headers: idempotent }), 201).data;

const read = demand(await readContact(id, {}, { headers }), 200).data;

const query = { filter: `last_name[eq]:Jansen,id[eq]:${id}`, expand: 'contactcommunication', page_size: 10 };
const listed = demand(await listContact(query, { headers }), 200);

const unknown = demand(await readContact(2147483647, {}, { headers }), 404);

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
    refused: explain(unknown),
  }),
);
