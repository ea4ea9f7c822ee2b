// POST /contact/personaldata: the zip has everything about the person, and nothing about others.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { textOf } from '../../support/files/leak.ts';
import { finished } from '../../support/service/job.ts';
import { inStorage } from '../../support/service/service.ts';
import { addPerson } from './scene.ts';

const { vehicleroles } = LISTS;
const program = promisify(execFile);

describe('POST /contact/personaldata', function () {
  this.timeout(60_000);
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  /** Asks for the zip; its JSON, and all its text. */
  const collect = async (id: number) => {
    const answer = await client.post('/contact/personaldata', { id });
    expect(answer.status, answer.text).to.equal(202);
    const job = await finished(client, answer.data.job_id);
    const { url } = job as { url: string };
    const [, name = ''] = /\/files\/([^?]+)/.exec(url) ?? [];
    const path = inStorage('archives', name);
    expect((await readFile(path)).length).to.equal(job.size);
    const { stdout } = await program('unzip', ['-p', path, 'personal-data.json']);
    return { text: await textOf(path), json: JSON.parse(stdout) };
  };

  it('makes a zip with everything about the person, as JSON, as a PDF and with the stored files', async () => {
    const person = await addPerson(client);

    const { text, json } = await collect(person.contact);

    for (const one of [person.name, person.email, person.plate]) expect(text).to.include(one);
    expect(text).to.include(`Persoonsgegevens van Jan ${person.name}`);
    expect(text).to.include('Geboortedatum');
    expect(text).to.include(`Foto: Bellen met ${person.name}`);
    expect(Object.keys(json)).to.deep.equal([
      ...['taken_at', 'owner', 'contact', 'vehicle', 'order', 'appointment', 'contactcommunication'],
      ...['document', 'invoiceparty', 'leaseapproval', 'licenseplatehistory', 'mileagereading'],
      ...['orderline', 'payment', 'timeentry', 'tyreset', 'tyre', 'vehicleroleline', 'changes'],
    ]);
    expect(json.contact.id).to.equal(person.contact);
    expect(json.order).to.have.length(2);
    expect(json.changes.map(({ resource }: { resource: string }) => resource)).to.include.members([
      'contact',
      'contactcommunication',
      'order',
      'vehicle',
    ]);
  });

  it('shows neither the books of the dealer nor other people', async () => {
    const [driver, payer] = [
      await buildBuyer(client, { last_name: 'Bestuurder' }),
      await buildBuyer(client, { last_name: 'Zonderling', language: 'en' }),
    ];
    await buildInvoice(
      client,
      { contact_id: driver.id, invoice_contact_id: payer.id, remarks_internal: 'alleen de bestuurder' },
      { purchase_price: 7777.77 },
    );

    const { text } = await collect(payer.id);

    expect(text).to.include('Personal data of Zonderling');
    expect(text).to.not.match(/7777\.77|7\.777,77|Bestuurder|alleen de bestuurder/);
  });

  it('shows no log of the books, and none of those who had the car or the order before', async () => {
    const [first, buyer] = [await buildBuyer(client), await buildBuyer(client)];
    const vehicle_id = (await build(client, 'vehicle', { notes: 'De Zwaan belt' })).id;
    await client.put(`/vehicle/${vehicle_id}`, { notes: 'De Zwaan komt', purchase_price: 8123.45 });
    await client.put(`/vehicle/${vehicle_id}`, { notes: 'Leeg' });
    const visit = await build(client, 'appointment', { vehicle_id, description: 'De Zwaan belt' });
    await client.put(`/appointment/${visit.id}`, { description: 'Klaar' });
    const order = await build(client, 'order', { contact_id: first.id, vehicle_id, description: 'De Zwaan' });
    const employee_id = (await build(client, 'employee')).id;
    const entry = await build(client, 'timeentry', { order_id: order.id, employee_id, notes: 'Zwaan belt' });
    await client.put(`/timeentry/${entry.id}`, { notes: 'Klaar' });
    await client.put(`/order/${order.id}`, { contact_id: buyer.id, description: 'Een koper' });
    const vehicleroleline = { vehicle_id, contact_id: buyer.id, role_kind: vehicleroles.OWNER };
    await build(client, 'vehicleroleline', vehicleroleline);
    await client.put(`/vehicle/${vehicle_id}`, { notes: 'Voor de koper' });

    const [theirs, ours] = [await collect(buyer.id), await collect(first.id)];

    expect(theirs.text).to.not.match(/Zwaan|8123\.45|8\.123,45/);
    expect(theirs.text).to.include('Voor de koper').and.include('Een koper');
    expect(ours.text).to.include('De Zwaan').and.not.match(/koper/);
  });

  it('shows a former owner of a car what invoices print, and the owner everything', async () => {
    const [former, present] = [await buildBuyer(client), await buildBuyer(client)];
    const printed = { vin: 'WVWZZZ1JZ3W987654', make: 'Volvo', model: 'V70', mileage: 120_000 };
    const kept = { notes: 'Zwaantje belt', external_id: 'zwaantje-1', engine_number: 'B5244-77' };
    const vehicle = await build(client, 'vehicle', { ...printed, ...kept });
    const role = { vehicle_id: vehicle.id, role_kind: vehicleroles.OWNER, start_date: '2020-01-01' };
    await build(client, 'vehicleroleline', { ...role, contact_id: former.id, end_date: '2022-01-01' });
    await build(client, 'vehicleroleline', { ...role, contact_id: present.id });

    const [theirs, ours] = [await collect(former.id), await collect(present.id)];

    const { license_plate } = vehicle;
    const empty = { notes: null, external_id: null, engine_number: null };
    expect(theirs.json.vehicle[0]).to.include({ license_plate, ...printed, ...empty });
    expect(theirs.text).to.not.match(/wantje|B5244/);
    expect(ours.json.vehicle[0]).to.include({ license_plate, ...printed, ...kept });
  });

  it('refuses an unknown contact, one of another garage, and a body without an ID', async () => {
    const theirs = await buildBuyer(await newClient());
    const ask = (body: object) => client.post('/contact/personaldata', body);

    expect(await ask({ id: theirs.id })).to.be.refused(404, `Field: [id] value: [${theirs.id}] not found`);
    expect(await ask({ webhook_url: null })).to.be.refused(
      403,
      'Field: [id] is required and not supplied in request',
    );
    expect(await ask({ id: 'x' })).to.be.refused(
      403,
      'Field: [id] has an invalid value: [x] for datatype: int4',
    );
  });
});
