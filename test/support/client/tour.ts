// The requests of the tour: one for each method of each endpoint that is no plain record. An endpoint without a request
// fails the tour (visit.ts).

import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../build/build.ts';
import { buildTyres } from '../build/work.ts';
import { heldJob } from '../service/job.ts';
import { PASSWORD } from '../service/service.ts';
import { until } from '../service/until.ts';
import { type Client, type Json, newClient } from './client.ts';

/** A body that is not JSON. */
export interface SentFile {
  readonly type: string;
  readonly text: string;
}

/** A period that includes the days of all samples. */
const DAYS = 'from=2026-01-01&to=2099-12-31';

export type Request = [path: string, body?: Json, as?: Client, file?: SentFile];

/** The endpoints that are no plain record, and records whose samples need more than their fields say. */
export async function specialRequests(
  client: Client,
  webhook_url: string,
  secret: () => Promise<string>,
): Promise<Record<string, () => Promise<Request[]>>> {
  const { owner, username, apiKey: api_key } = client.garage;
  const { orderstatuses, advertisementsites, fuelkinds, taxkinds, vatcodes, linekinds, documenttypes } =
    LISTS;
  const credentials = { api_key, username, password: PASSWORD };
  const order = await build(client, 'order', { contact_id: (await buildBuyer(client)).id });
  await build(client, 'orderline', {
    order_id: order.id,
    line_kind: linekinds.LABOUR,
    vat_code: vatcodes.HIGH,
  });
  const vehicle = await build(client, 'vehicle', {
    tax_kind: taxkinds.VAT,
    sale_price: 12_950,
    mileage: 84_000,
    fuel_kind: fuelkinds.PETROL,
    first_registration_date: '2019-03-01',
  });
  await build(client, 'vehicleadvertisementsite', {
    vehicle_id: vehicle.id,
    site_kind: advertisementsites.OWN_WEBSITE,
  });
  const flatRate = await build(client, 'flatrate');
  await build(client, 'flatrateline', {
    flatrate_id: flatRate.id,
    description: 'Grote beurt',
    quantity: 1,
    price: 249,
  });
  const other = await newClient();
  const document = await build(client, 'document', { content: Buffer.from('hello').toString('base64') });
  return {
    'GET /search': async () => [['/search?q=jansen']],
    'GET /planning/slots': async () => [await slotsRequest(client)],
    'GET /planning/load': async () => [['/planning/load?from=2026-05-04&to=2026-05-05']],
    'GET /planning/conflicts': async () => [await conflictsRequest(client)],
    'PUT /appointment/swap': async () => {
      const [first, second] = [await build(client, 'appointment'), await build(client, 'appointment')];
      return [
        [
          '/appointment/swap',
          { first_id: first.id, second_id: second.id, fields: ['workplace_id', 'times'] },
        ],
      ];
    },
    'GET /authenticate': async () => [[`/authenticate?${new URLSearchParams(credentials)}`]],
    'POST /authenticate': async () => [['/authenticate', credentials]],
    'GET /authenticate/acces': async () => [['/authenticate/acces']],
    'GET /authenticate/component': async () => [['/authenticate/component']],
    'GET /authenticate/modules': async () => [['/authenticate/modules']],
    'GET /authenticate/fingerprint': async () => [['/authenticate/fingerprint']],
    'POST /authenticate/forgotpassword': async () => [['/authenticate/forgotpassword', { username }]],
    // Ends a token of its own, so that the tour goes on.
    'GET /authenticate/logout': async () => [['/authenticate/logout', undefined, await newClient()]],
    'GET /util/list': async () => [['/util/list?list=ordertypes']],
    'GET /util/environment': async () => [[`/util/environment?username=${username}`]],
    'GET /model': async () => [['/model/turnovergroup']],
    'PUT /owner': async () => [[`/owner/${owner}`, { phone: '+31 30 765 4321' }]],
    'PUT /country': async () => [['/country/1', { name: 'Holland' }]],
    'DELETE /country': async () => [['/country/1']],
    'POST /backup/owner': async () => [['/backup/owner', { webhook_url }]],
    'POST /import': async () => [
      [
        '/import?resource=contact&mode=upsert',
        undefined,
        other,
        { type: 'text/csv', text: 'external_id,contact_kind,last_name,country_id\nK-17,1,de Boer,1\n' },
      ],
    ],
    'GET /contact/checkaddress': async () => [
      ['/contact/checkaddress?postcode=3511%20AB&huisnummer=12&country_id=1'],
    ],
    'POST /contact/personaldata': async () => [
      ['/contact/personaldata', { id: (await buildBuyer(client)).id }],
    ],
    'PUT /contact/anonymise': async () => [
      // In a garage of its own, since archives of the garage expire.
      [`/contact/anonymise?id=${await invoicedBuyer(other)}`, undefined, other],
    ],
    'GET /document/info': async () => [[`/document/info?id=${document.id}`]],
    'GET /empoyee/email': async () => [[`/empoyee/email?username=${username}`]],
    'GET /employee/email': async () => [[`/employee/email?username=${username}`]],
    'POST /order/credit': async () => [
      ['/order/credit', { order_id: (await buildInvoice(client)).id, is_invoiced: 1 }],
    ],
    'POST /order/deposit': async () => {
      const target = await build(client, 'order');
      await build(client, 'orderline', {
        order_id: target.id,
        price: 100,
        quantity: 1,
        vat_code: vatcodes.HIGH,
      });
      return [['/order/deposit', { order_id: target.id, amount: 50 }]];
    },
    'POST /order/{id}/flatrate': async () => [[`/order/${order.id}/flatrate`, { flatrate_id: flatRate.id }]],
    'POST /timeentry/start': async () => [['/timeentry/start', { order_id: order.id }]],
    'POST /timeentry/stop': async () => [['/timeentry/stop', {}]],
    'PUT /tyreset/swap': async () => [['/tyreset/swap', (await buildTyres(client)).swap]],
    'PUT /updatelicenseplate': async () => [
      ['/updatelicenseplate', { id: vehicle.id, license_plate: 'GB-001-B' }],
    ],
    'GET /vehicle/publishstart': async () => [[`/vehicle/publishstart?id=${vehicle.id}`]],
    'PUT /vehicle/publishstart': async () => [[`/vehicle/publishstart?id=${vehicle.id}`]],
    'PUT /vehicle/publishstop': async () => [[`/vehicle/publishstop?id=${vehicle.id}`]],
    'POST /order': async () => [
      [
        '/order',
        {
          order_type: 1,
          order_date: '2026-05-01',
          contact_id: order.contact_id,
          orderline: [{ line_kind: 2, description: 'Grote beurt', quantity: 1, price: 249, vat_code: 1 }],
        },
      ],
    ],
    'PUT /contact': async () => [
      [`/contact/${order.contact_id}`, { external_id: 'shop-7' }],
      ['/contact?external_id=shop-8', { contact_kind: 1, last_name: 'Bakker', country_id: 1 }],
    ],
    'PUT /order': async () => [
      [`/order/${order.id}`, { order_status: orderstatuses.INVOICE }],
      ['/order?external_id=web-1001', webOrder(order.contact_id)],
    ],
    'POST /document/generate': async () => [
      ['/document/generate', { document_type: documenttypes.QUOTATION, order_ids: [order.id], webhook_url }],
    ],
    'POST /export': async () => {
      const asked = {
        resource: 'contact',
        format: 'csv',
        filter: 'contact_kind:1',
        fields: 'last_name,city',
      };
      // In a garage of its own, so that the jobs below are the same in each run.
      return [['/export', asked, other]];
    },
    'GET /webhook': async () => [[`/webhook?id=${await secret()}`]],
    'GET /job': async () => {
      await secret();
      const [job] = (await client.get('/job')).data;
      return [['/job?page_size=2'], [`/job/${job.id}`]];
    },
    'POST /job/redeliver': async () => {
      await secret();
      const [done] = (await client.get('/job')).data.filter(
        ({ status }: { status: string }) => status === 'done',
      );
      return [['/job/redeliver', { id: done.id }]];
    },
    'GET /changes': async () => [['/changes?resource=flatrate,flatrateline&page_size=2&expand=record']],
    'GET /vatreturn': async () => [[`/vatreturn?${DAYS}`, undefined, client]],
    'GET /vatreturn/lines': async () => {
      await buildInvoice(client);
      return [[`/vatreturn/lines?box=1a&${DAYS}&page_size=2`, undefined, client]];
    },
    'GET /icp': async () => {
      const [germany] = (await client.get('/country?filter=code:DE')).data;
      const buyer = await buildBuyer(client, { country_id: germany.id, vat_number: 'DE136695976' });
      await buildInvoice(client, { contact_id: buyer.id }, { vat_code: vatcodes.INTRA_COMMUNITY });
      return [[`/icp?${DAYS}`, undefined, client]];
    },
    'GET /debtor': async () => {
      await buildInvoice(client);
      return [['/debtor', undefined, client]];
    },
    'GET /audit': async () => [[`/audit?filter=resource:flatrate,record_id:${flatRate.id}`]],
    'GET /webhookdelivery': async () => {
      // No country changes, so the test is the only event.
      const { id } = await build(client, 'webhooksubscription', { url: webhook_url });
      await client.post('/webhooksubscription/test', { id });
      await until(async () => (await client.get('/webhookdelivery?filter=status:delivered')).data.length > 0);
      return [['/webhookdelivery?page_size=2']];
    },
    'POST /webhookdelivery/redeliver': async () => {
      const [delivery] = (await client.get('/webhookdelivery')).data;
      return [['/webhookdelivery/redeliver', { id: delivery.id }]];
    },
    'POST /webhooksubscription/test': async () => [
      ['/webhooksubscription/test', { id: (await client.get('/webhooksubscription')).data[0].id }],
    ],
    'DELETE /job': async () => [[`/job/${await heldJob(client, { webhookUrl: webhook_url })}`]],
  };
}

const invoicedBuyer = async (client: Client): Promise<number> => (await buildInvoice(client)).contact_id;

/** An employee who works on a Monday, and a workplace. */
async function slotsRequest(client: Client): Promise<Request> {
  const { id: employee_id } = await build(client, 'employee');
  await build(client, 'workhour', { employee_id, weekday: 1, start_time: '08:00', end_time: '10:00' });
  await build(client, 'workplace', { workplace_kind: LISTS.workplacekinds.LIFT });
  return ['/planning/slots?from=2026-05-04T06:00:00Z&until=2026-05-05T06:00:00Z&minutes=60'];
}

/** An upsert with a line. */
const webOrder = (contact_id: number): Json => ({
  order_type: 1,
  order_date: '2026-05-01',
  contact_id,
  orderline: [
    { external_id: 'web-1001/1', line_kind: 1, description: 'Wissers', quantity: 1, price: 25, vat_code: 1 },
  ],
});

/** An appointment of a mechanic who is ill. */
async function conflictsRequest(client: Client): Promise<Request> {
  const { id: employee_id } = await build(client, 'employee');
  const times = { starts_at: '2026-05-06T08:00:00Z', ends_at: '2026-05-06T09:00:00Z' };
  await build(client, 'appointment', { ...times, employee_id });
  await build(client, 'absence', { ...times, employee_id });
  return ['/planning/conflicts?from=2026-05-04&to=2026-05-08'];
}
