// A client as an integrator writes it, with types generated from the OpenAPI document. The test beside this file
// generates the types, compiles this file strictly, and runs it.
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

type Refusal = components['schemas']['error'];

const [baseUrl = '', api_key = '', username = '', password = ''] = process.argv.slice(2);
const garage = createClient<paths>({ baseUrl });

/** The answer, or an error that says why there is none: codes are typed, as fields are. */
function demand<T>({ data, error }: { data?: T; error?: Refusal }): T {
  if (data !== undefined) return data;
  throw new Error(`${error?.code}: ${error?.message}`);
}

const login = demand(await garage.POST('/authenticate', { body: { api_key, username, password } }));
garage.use({
  onRequest: ({ request }) => {
    request.headers.set('token', login.token);
    return request;
  },
});

const contact = demand(
  await garage.POST('/contact', { body: { contact_kind: 1, last_name: 'Jansen', country_id: 1 } }),
).data;

const order = demand(
  await garage.POST('/order', {
    params: { header: { 'Idempotency-Key': `program-${contact.id}` } },
    body: {
      order_type: 1,
      order_date: '2026-05-01',
      contact_id: contact.id,
      reference: 'B-7',
      orderline: [
        { line_kind: 2, description: 'Grote beurt', quantity: 1, price: 249, vat_code: 1 },
        { line_kind: 2, description: 'Ruitenwissers', quantity: 1, price: 38.5, vat_code: 1 },
      ],
    },
  }),
).data;

const listed = demand(
  await garage.GET('/order', {
    params: { query: { filter: `id[eq]:${order.id}`, expand: 'contact,orderline', page_size: 10 } },
  }),
);
const [found] = listed.data;

const refused = await garage.POST('/order', {
  // @ts-expect-error: no order without a contact
  body: { order_type: 1, order_date: '2026-05-01' },
});
// @ts-expect-error: there is no such endpoint
await garage.GET('/invoice');
// @ts-expect-error: nor such a field
const unknown = order.colour;

/** Only codes of the description can be asked for. */
function explain({ code, errors }: Refusal): string {
  switch (code) {
    case 'field_required':
      return `missing: ${errors.map(({ field }) => field).join(', ')}`;
    case 'not_authorized':
      return 'log in again';
    default:
      return code;
  }
}

process.stdout.write(
  JSON.stringify({
    contact: found?.contact?.last_name,
    lines: found?.orderline?.map(({ description }) => description),
    total: found?.total_gross,
    more: listed.has_more,
    refused: refused.error && explain(refused.error),
    unknown,
  }),
);
