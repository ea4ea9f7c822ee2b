// Sets of tyres: one stored set a location, when a set came and left, and the swap.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { buildTyres } from '../../support/build/work.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';

const { STORED, MOUNTED, RETURNED } = LISTS.tyresetstatuses;
const { WINTER } = LISTS.tyreseasons;
const { FRONT_LEFT } = LISTS.tyrepositions;

describe('a set of tyres', () => {
  let client: Client;
  let contact_id: number;
  beforeEach(async () => {
    client = await newClient();
    contact_id = (await build(client, 'contact')).id;
  });
  const add = (more: Json = {}) => client.post('/tyreset', { contact_id, season: WINTER, ...more });
  const put = (id: number, body: Json) => client.put(`/tyreset/${id}`, body);
  const stored = (location: string) => add({ tyreset_status: STORED, location });
  const swap = (body: Json) => client.put('/tyreset/swap', body);

  it('is mounted where nothing is said, and comes with its tyres', async () => {
    const { data } = await add({ tyre: [{ position: FRONT_LEFT, dot: '5326', tread_mm: 6.5 }] });

    expect(data).to.include({ tyreset_status: MOUNTED, set_number: 1, stored_at: null, out_at: null });
    expect(data.tyre).to.have.length(1);
    expect(await add({ tyre: [{ position: FRONT_LEFT }, { position: FRONT_LEFT }] })).to.be.refused(
      409,
      `Field: [tyre[1].position] value: [${FRONT_LEFT}] has a duplicate illegal value`,
    );
  });

  it('has tyres of a week and a year, with at most 20 mm', async () => {
    const post = (more: Json) =>
      build(client, 'tyreset').then(({ id }) =>
        client.post('/tyre', { tyreset_id: id, position: 1, ...more }),
      );

    for (const dot of ['0026', '5426', '126', '01a6'])
      expect(await post({ dot })).to.be.refused(
        403,
        `Field: [dot] has an invalid value: [${dot}] for validation: [dot]`,
      );
    for (const dot of ['0100', '5399']) expect((await post({ dot })).status).to.equal(201);
    expect(await post({ tread_mm: 20.5 })).to.be.refused(
      403,
      'Field: [tread_mm] has an invalid value: [20.5] for validation: [0..20]',
    );
  });

  it('knows when it came into the storage, and when it left', async () => {
    const { id } = (await add({ location: 'A-1' })).data;

    const came = (await put(id, { tyreset_status: STORED })).data;
    expect(came).to.include({ location: 'A-1', out_at: null });
    expect(came.stored_at >= came.created_at && came.stored_at <= came.modified_at).to.equal(true);
    const left = (await put(id, { tyreset_status: RETURNED, location: 'A-1' })).data;
    expect(left).to.include({ location: null, stored_at: came.stored_at });
    expect(left.out_at >= came.stored_at && left.out_at <= left.modified_at).to.equal(true);
    const back = (await put(id, { tyreset_status: STORED, stored_at: '2026-05-01' })).data;
    expect(back).to.include({ stored_at: '2026-05-01T00:00:00.000Z', out_at: null });
  });

  it('is alone in its location while it is stored', async () => {
    const first = (await stored('A-1')).data;
    const mounted = (await add({ location: 'A-1' })).data;

    expect(await stored('A-1')).to.be.refused(
      409,
      'Field: [location] value: [A-1] has a duplicate illegal value',
    );
    const onPut = 'Field: [location] Value: [A-1] has a duplicate illegal value';
    expect(await put(mounted.id, { tyreset_status: STORED })).to.be.refused(409, onPut);
    await put(first.id, { tyreset_status: MOUNTED });
    expect((await put(mounted.id, { tyreset_status: STORED })).status).to.equal(200);
    expect((await add({ location: 'A-1', external_id: 'K' })).status).to.equal(201);
    expect(await add({ location: 'A-1', external_id: 'K' })).to.be.refused(
      409,
      'Field: [external_id] value: [K] has a duplicate illegal value',
    );
  });

  it('is alone in its location, also after many requests at once', async () => {
    const sets = await Promise.all(Array.from({ length: AT_ONCE }, () => add({ location: 'B-1' })));

    const answers = await Promise.all(sets.map(({ data }) => put(data.id, { tyreset_status: STORED })));

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(AT_ONCE - 1).fill(409)]);
  });

  it('is swapped for the stored one, which gives it its location', async () => {
    const { mounted, stored: other, swap: body } = await buildTyres(client);

    const { status, data, text } = await swap(body);

    expect(status, text).to.equal(200);
    expect(data.out_tyreset).to.include({
      id: mounted.id,
      tyreset_status: STORED,
      location: 'A-12',
      out_at: null,
    });
    expect(data.in_tyreset).to.include({ id: other.id, tyreset_status: MOUNTED, location: null });
    expect(
      data.in_tyreset.out_at >= other.created_at && data.in_tyreset.out_at <= data.in_tyreset.modified_at,
    ).to.equal(true);
    expect((await client.get(`/tyreset/${mounted.id}`)).data).to.deep.equal(data.out_tyreset);
  });

  it('gets the location of the stored set also where the body has an empty one', async () => {
    const { swap: body } = await buildTyres(client);

    const { data } = await swap({ ...body, location: '' });

    expect(data.out_tyreset.location).to.equal('A-12');
  });

  it('goes where the body says, or the swap does nothing', async () => {
    const { mounted, stored: other, swap: body } = await buildTyres(client);
    await stored('B-1');

    expect(await swap({ ...body, location: 'B-1' })).to.be.refused(
      409,
      'Field: [location] Value: [B-1] has a duplicate illegal value',
    );
    expect((await client.get(`/tyreset/${other.id}`)).data).to.deep.equal(other);
    expect((await swap({ ...body, location: 'B-2' })).data.out_tyreset).to.include({
      id: mounted.id,
      location: 'B-2',
    });
  });

  it('is swapped only if both are what the request says', async () => {
    const { vehicle_id, mounted, stored: other } = await buildTyres(client);
    const stranger = (await build(client, 'vehicle')).id;
    const [out, into] = [mounted.id, other.id];
    const wrongOut = (id: number) =>
      `Field: [out_tyreset_id] has an invalid value: [${id}] for validation: [mounted set of the vehicle]`;
    const wrongIn = (id: number) =>
      `Field: [in_tyreset_id] has an invalid value: [${id}] for validation: [stored set of the vehicle]`;

    const turned = await swap({ vehicle_id, out_tyreset_id: into, in_tyreset_id: out });
    expect(turned).to.be.refused(403, wrongOut(into));
    expect(turned.body.errors[1].message).to.equal(wrongIn(out));
    const elsewhere = await swap({ vehicle_id: stranger, out_tyreset_id: out, in_tyreset_id: into });
    expect(elsewhere.body.errors.map(({ message }: Json) => message)).to.deep.equal([
      wrongOut(out),
      wrongIn(into),
    ]);
    expect(await swap({ vehicle_id, out_tyreset_id: out, in_tyreset_id: out })).to.be.refused(
      403,
      wrongIn(out),
    );
    expect(await swap({ vehicle_id, out_tyreset_id: out, in_tyreset_id: 2147483647 })).to.be.refused(
      404,
      'Field: [in_tyreset_id] value: [2147483647] ID not found',
    );
    expect(await swap({ vehicle_id, out_tyreset_id: out })).to.be.refused(
      403,
      'Field: [in_tyreset_id] is required and not supplied in request',
    );
  });

  it('is swapped once, also by many requests at once', async () => {
    const { stored: other, swap: body } = await buildTyres(client);

    const answers = await atOnce(client, ['tyreset', other.id], () => swap(body));

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(AT_ONCE - 1).fill(403)]);
  });

  it('loses its texts when its contact is anonymised, and its tyres do too', async () => {
    const { data } = await add({
      notes: 'Voor de vrouw van Jan',
      external_id: 'jan@example.nl',
      location: 'A-1',
      tyre: [{ position: FRONT_LEFT, brand: 'Nokian', notes: 'Lek, zie Jan' }],
    });

    expect((await client.put(`/contact/anonymise?id=${contact_id}`)).status).to.equal(200);

    const after = (await client.get(`/tyreset/${data.id}?expand=tyre`)).data;
    expect(after).to.include({ notes: null, external_id: null, location: 'A-1' });
    expect(after.tyre[0]).to.include({ notes: null, brand: 'Nokian' });
  });
});
