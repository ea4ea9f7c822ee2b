// One owner for each vehicle and one preferred e-mail address for each contact, also with many requests at once.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';

const { OWNER, DRIVER } = LISTS.vehicleroles;
const { EMAIL, PHONE } = LISTS.communicationtypes;

const many = <T>(act: () => Promise<T>) => Promise.all(Array.from({ length: AT_ONCE }, act));

describe('a vehicle', () => {
  const message = 'Vehicleroleline is invalid a Vehicle can only have one owner';
  let client: Client;
  let vehicle_id: number;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await build(client, 'contact')).id;
  });
  beforeEach(async () => {
    vehicle_id = (await build(client, 'vehicle')).id;
  });

  const body = (changes: Json = {}) => ({
    vehicle_id,
    contact_id,
    role_kind: OWNER,
    start_date: '2020-01-01',
    ...changes,
  });
  const add = (changes: Json = {}) => client.post('/vehicleroleline', body(changes));
  const owners = async () =>
    (await client.get(`/vehicleroleline?count=1&filter=vehicle_id:${vehicle_id},role_kind:${OWNER}`)).body
      .total;

  it('has one owner', async () => {
    expect((await add()).status).to.equal(201);

    expect(await add()).to.be.refused(403, message);
    expect(await add({ end_date: '2099-01-01' })).to.be.refused(403, message);
    expect((await add({ role_kind: DRIVER })).status).to.equal(201);
    expect((await add({ end_date: '2021-01-01' })).status).to.equal(201);
  });

  it('counts an owner with an end date in the future', async () => {
    expect((await add({ end_date: '2099-01-01' })).status).to.equal(201);

    expect(await add()).to.be.refused(403, message);
  });

  it('gets a new owner after the last one ended', async () => {
    const { id } = (await add()).data;
    const driver = (await add({ role_kind: DRIVER })).data;
    expect(await client.put(`/vehicleroleline/${driver.id}`, { role_kind: OWNER })).to.be.refused(
      403,
      message,
    );

    expect((await client.put(`/vehicleroleline/${id}`, { end_date: '2021-01-01' })).status).to.equal(200);
    expect((await client.put(`/vehicleroleline/${driver.id}`, { role_kind: OWNER })).status).to.equal(200);
    expect(await client.put(`/vehicleroleline/${id}`, { end_date: null })).to.be.refused(403, message);
  });

  it(`gets one owner from ${AT_ONCE} simultaneous POSTs`, async () => {
    const answers = await atOnce(client, ['vehicle', vehicle_id], () => add());

    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).to.be.refused(403, message);
    expect(await owners()).to.equal(1);
  });

  it(`gets one owner from ${AT_ONCE} simultaneous PUTs`, async () => {
    const lines = await many(() => build(client, 'vehicleroleline', body({ role_kind: DRIVER })));

    const answers = await atOnce(client, ['vehicle', vehicle_id], (index) =>
      client.put(`/vehicleroleline/${lines[index].id}`, { role_kind: OWNER }),
    );

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(AT_ONCE - 1).fill(403)]);
    expect(await owners()).to.equal(1);
  });
});

describe('a contact', () => {
  const duplicate = (word: string) => `Field: [is_prefered_email] ${word}: [1] has a duplicate illegal value`;
  const notAllowed = 'Field: [is_prefered_email] value: [1] is not alowed';
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
  });
  beforeEach(async () => {
    contact_id = (await build(client, 'contact')).id;
  });

  const body = (changes: Json = {}) => ({
    contact_id,
    communication_type: EMAIL,
    value: 'anna@garage.example',
    is_prefered_email: 1,
    ...changes,
  });
  const add = (changes: Json = {}) => client.post('/contactcommunication', body(changes));
  const preferred = async () =>
    (await client.get(`/contactcommunication?count=1&filter=contact_id:${contact_id},is_prefered_email:1`))
      .body.total;

  it('has one preferred e-mail address', async () => {
    const first = (await add()).data;
    const second = (await add({ is_prefered_email: 0 })).data;
    expect(await add()).to.be.refused(409, duplicate('value'));
    expect(await client.put(`/contactcommunication/${second.id}`, { is_prefered_email: 1 })).to.be.refused(
      409,
      duplicate('Value'),
    );

    expect((await client.put(`/contactcommunication/${first.id}`, { is_prefered_email: 0 })).status).to.equal(
      200,
    );
    expect(
      (await client.put(`/contactcommunication/${second.id}`, { is_prefered_email: 1 })).status,
    ).to.equal(200);
    expect(
      (await client.put(`/contactcommunication/${second.id}`, { is_prefered_email: 1 })).status,
    ).to.equal(200);
  });

  it('refuses to prefer anything but an e-mail address', async () => {
    const { id } = (await add()).data;

    for (const communication_type of Object.values(LISTS.communicationtypes).filter(
      (type) => type !== EMAIL,
    )) {
      expect(await add({ communication_type, value: 'www.garage.nl' })).to.be.refused(409, notAllowed);
      const answer = await client.put(`/contactcommunication/${id}`, {
        communication_type,
        value: 'www.garage.nl',
      });
      expect(answer).to.be.refused(409, notAllowed);
    }
  });

  it('has values that fit their type', async () => {
    const wrong = (validation: string) =>
      `Field: [value] has an invalid value: [no, none] for validation: [${validation}]`;
    const free = { is_prefered_email: 0, value: 'no, none' };

    expect(await add(free)).to.be.refused(403, wrong('email'));
    expect(await add({ ...free, communication_type: LISTS.communicationtypes.WEBSITE })).to.be.refused(
      403,
      wrong('url'),
    );
    expect((await add({ ...free, communication_type: PHONE })).status).to.equal(201);
  });

  it(`prefers one address of ${AT_ONCE} simultaneous POSTs`, async () => {
    const answers = await atOnce(client, ['contact', contact_id], () => add());

    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).to.be.refused(409, duplicate('value'));
    expect(await preferred()).to.equal(1);
  });

  it(`prefers one address of ${AT_ONCE} simultaneous PUTs`, async () => {
    const lines = await many(() => build(client, 'contactcommunication', body({ is_prefered_email: 0 })));

    const answers = await atOnce(client, ['contact', contact_id], (index) =>
      client.put(`/contactcommunication/${lines[index].id}`, { is_prefered_email: 1 }),
    );

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(AT_ONCE - 1).fill(409)]);
    expect(await preferred()).to.equal(1);
  });
});
