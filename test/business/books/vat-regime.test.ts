// The settings of the VAT return hold from a day on: what is filed stays as it is when they change.
import { DateTime } from 'luxon';
import { completeAllBooks } from '../../../src/business/invoicing/invoice/book-date.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { invoiceOn, setGarage } from '../../support/books/books.ts';
import { dayOf } from '../../support/build/day.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const { ordertypes, linekinds, vatcodes, marginmethods, vatperiods, purchaseproofs } = LISTS;
const { INDIVIDUAL, GLOBAL } = marginmethods;
const { MONTH, QUARTER, YEAR } = vatperiods;
const CAR = { line_kind: linekinds.VEHICLE, vat_code: vatcodes.MARGIN };
const FIRST = '1900-01-01T00:00:00.000Z';
/** The first day of the present quarter, in the form of the API. */
const thisQuarter = () =>
  `${DateTime.fromISO(dayOf()).startOf('quarter').toFormat('yyyy-MM-dd')}T00:00:00.000Z`;

describe('the settings of the VAT return', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const sold = (at: string, price: number) => invoiceOn(client, at, [{ ...CAR, purchase_price: 0, price }]);
  const bought = (at: string, price: number) =>
    invoiceOn(client, at, [{ ...CAR, price }], {
      order_type: ordertypes.VEHICLE_PURCHASE,
      purchase_proof: purchaseproofs.STATEMENT,
    });
  /** The rows, each as `valid_from period method`. */
  const rows = async () =>
    (await client.get('/vatregime?sort=valid_from')).data.map(
      ({ valid_from, vat_period, margin_method }: Json) => `${valid_from} ${vat_period} ${margin_method}`,
    );
  const garage = async () => (await client.get(`/owner/${client.garage.owner}`)).data;
  const put = (body: Json) => client.put(`/owner/${client.garage.owner}`, body);
  const add = (body: Json) => client.post('/vatregime', body);
  const margin = async (days: string) => {
    const answer = await client.get(`/vatreturn?${days}`);
    expect(answer.status, answer.text).to.equal(200);
    const { carried_in, vat, carried_out } = answer.data.margin;
    return [carried_in, vat, carried_out];
  };

  it('stay in filed quarters when months begin at the New Year', async () => {
    await setGarage(client, { margin_method: GLOBAL, vat_period: QUARTER });
    await sold('2026-07-10', 6050);
    await bought('2026-09-10', 10_500);
    await sold('2026-10-10', 14_500);
    await bought('2026-12-10', 20_000);
    await sold('2027-01-10', 24_100);
    const [third, fourth] = ['from=2026-07-01&to=2026-09-30', 'from=2026-10-01&to=2026-12-31'];
    const filed = [await margin(third), await margin(fourth), await margin('from=2027-01-01&to=2027-03-31')];

    expect((await add({ valid_from: '2027-01-01', vat_period: MONTH })).status).to.equal(201);

    expect(filed).to.deep.equal([
      [0, 0, 4450],
      [4450, 0, 9950],
      [9950, 2455.79, 0],
    ]);
    expect([await margin(third), await margin(fourth)]).to.deep.equal(filed.slice(0, 2));
    expect(await margin('from=2027-01-01&to=2027-01-31')).to.deep.equal([9950, 2455.79, 0]);
    expect(await margin('from=2026-10-01&to=2027-01-31')).to.deep.equal([4450, 2455.79, 0]);
    expect(await client.get('/vatreturn?from=2026-12-01&to=2027-01-15')).to.be.refused(
      400,
      'Parameter invalid [from] value must begin a vat_period',
    );
    const { errors } = (await client.get('/vatreturn?from=2026-12-01&to=2027-01-15')).body;
    const refused = errors.map(({ field, value }: Json) => `${field} ${value}`);
    expect(refused).to.deep.equal(['from QUARTER', 'to MONTH']);
    expect(await garage()).to.include({ vat_period: MONTH, margin_method: GLOBAL });
  });

  it('hold from the beginning of time before the first invoice, and where nobody has said them yet', async () => {
    await put({ vat_period: QUARTER });
    expect(await rows()).to.deep.equal([`${FIRST} ${QUARTER} null`]);
    await put({ vat_period: null });
    expect(await rows()).to.deep.equal([`${FIRST} null null`]);
    await put({ vat_period: MONTH });
    await sold('2026-01-10', 1210);

    await put({ margin_method: GLOBAL });

    expect(await rows()).to.deep.equal([`${FIRST} ${MONTH} ${GLOBAL}`]);
    expect(await margin('from=2026-01-01&to=2026-01-31')).to.deep.equal([0, 210, 0]);
  });

  it('change from a day on that begins a period, once there is an invoice', async () => {
    await setGarage(client, { margin_method: INDIVIDUAL, vat_period: QUARTER });
    await sold('2020-01-10', 1210);

    const answer = await put({ margin_method: GLOBAL, vat_period: MONTH });

    expect(answer.data).to.include({ margin_method: GLOBAL, vat_period: MONTH });
    expect(await rows()).to.deep.equal([`${FIRST} 2 ${INDIVIDUAL}`, `${thisQuarter()} ${MONTH} ${GLOBAL}`]);
    expect((await client.get('/vatreturn?from=2020-01-05&to=2020-02-05')).status).to.equal(200);
    expect(await put({ vat_period: null })).to.be.refused(
      403,
      'Field: [vat_period] is required and cannot be empty',
    );
    expect((await put({ margin_method: GLOBAL, phone: '1' })).status).to.equal(200);
    expect(await rows()).to.have.length(2);
    await put({ margin_method: INDIVIDUAL, vat_period: QUARTER });
    expect((await garage()).vat_period).to.equal(QUARTER);
  });

  it('are one row a day, each on the first day of a period before and behind it', async () => {
    await setGarage(client, { vat_period: QUARTER });
    const wrong = (value: string) =>
      `Field: [valid_from] has an invalid value: [${value}] for validation: [first day of a period]`;

    expect(await add({ valid_from: '2026-02-01', vat_period: MONTH })).to.be.refused(
      403,
      wrong('2026-02-01'),
    );
    const january = await add({ valid_from: '2026-01-01T00:00+01:00', vat_period: MONTH });
    expect(january.data.valid_from).to.equal('2025-12-31T23:00:00.000Z');
    const twin = await add({ valid_from: '2026-01-01T12:00Z' });
    expect(twin).to.be.refused(
      409,
      'Field: [valid_from] value: [2026-01-01T12:00Z] has a duplicate illegal value',
    );
    expect(twin.body.errors[0]).to.include({ resource: 'vatregime', id: january.data.id });
    const { id } = (await add({ valid_from: '2026-02-01', margin_method: GLOBAL })).data;

    const refusal = await client.del(`/vatregime/${january.data.id}`);
    expect(refusal).to.be.refused(403, wrong('2026-02-01T00:00:00.000Z'));
    expect(refusal.body.errors[0]).to.include({ resource: 'vatregime', id });
    expect(await client.put(`/vatregime/${january.data.id}`, { vat_period: YEAR })).to.be.refused(
      403,
      wrong('2026-02-01T00:00:00.000Z'),
    );
    expect((await client.put(`/vatregime/${id}`, { valid_from: '2026-04-01' })).status).to.equal(200);
    expect((await client.del(`/vatregime/${january.data.id}`)).status).to.equal(200);
    expect(await garage()).to.include({ vat_period: QUARTER, margin_method: GLOBAL });
  });

  it('keep their first row', async () => {
    const [{ id }] = (await client.get('/vatregime')).data;

    expect(await client.del(`/vatregime/${id}`)).to.be.refused(
      409,
      '[vatregime] is [first], cannot add/update/delete',
    );
    expect(await client.put(`/vatregime/${id}`, { valid_from: '2026-01-01' })).to.be.refused(
      409,
      'Cannot update [valid_from]',
    );
    expect(await add({ valid_from: '1850-01-01' })).to.be.refused(
      403,
      'Field: [valid_from] has an invalid value: [1850-01-01] for validation: [first day of a period]',
    );
    expect((await client.put(`/vatregime/${id}`, { vat_period: YEAR })).status).to.equal(200);
    expect((await garage()).vat_period).to.equal(YEAR);
  });

  it('are put once if two requests put them for the same day', async () => {
    const answers = await Promise.all(
      ['2026-01-01', '2026-01-01T05:00Z', '2026-01-01T10:00Z'].map((valid_from) => add({ valid_from })),
    );

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409]);
    expect(await rows()).to.have.length(2);
  });

  it('need the day of a loss that is brought along, on the first day of a period', async () => {
    await setGarage(client, { vat_period: QUARTER });

    expect(await put({ margin_carried_in: 10 })).to.be.refused(
      403,
      'Field: [margin_from] is required and not supplied in request',
    );
    expect(await put({ margin_carried_in: 10, margin_from: null })).to.be.refused(
      403,
      'Field: [margin_from] is required and cannot be empty',
    );
    expect(await put({ margin_carried_in: 10, margin_from: '2026-02-01' })).to.be.refused(
      403,
      'Field: [margin_from] has an invalid value: [2026-02-01] for validation: [first day of a period]',
    );
    expect((await put({ margin_carried_in: 10, margin_from: '2026-04-01' })).status).to.equal(200);
    expect(await put({ vat_period: YEAR })).to.be.refused(
      403,
      'Field: [margin_from] has an invalid value: [2026-04-01T00:00:00.000Z] for validation: [first day of a period]',
    );
  });

  it('keep the first day of the margins on the first day of a period', async () => {
    await setGarage(client, { margin_method: GLOBAL, vat_period: QUARTER });
    const months = (await add({ valid_from: '2026-01-01', vat_period: MONTH })).data.id;
    expect((await put({ margin_carried_in: 100, margin_from: '2026-02-01' })).status).to.equal(200);
    await sold('2026-03-10', 2420);
    const before = await rows();

    const refusals = [
      await client.put(`/vatregime/${months}`, { vat_period: QUARTER }),
      await client.put(`/vatregime/${months}`, { valid_from: '2026-04-01' }),
      await client.del(`/vatregime/${months}`),
    ];

    for (const refused of refusals) {
      expect(refused).to.be.refused(
        403,
        'Field: [margin_from] has an invalid value: [2026-02-01T00:00:00.000Z] for validation: [first day of a period]',
      );
      expect(refused.body.errors[0]).to.include({ resource: 'owner', id: client.garage.owner });
    }
    expect(await rows()).to.deep.equal(before);
    expect(await margin('from=2026-03-01&to=2026-03-31')).to.deep.equal([100, 402.64, 0]);
    // The periods before the margins may change.
    expect((await add({ valid_from: '2025-01-01', vat_period: YEAR })).status).to.equal(201);
  });

  it('are completed where the release before has made a garage or changed one', async () => {
    await setGarage(client, { margin_method: INDIVIDUAL, vat_period: QUARTER });
    await sold('2020-01-10', 1210);
    const { owner } = client.garage;
    await execute(database(), 'UPDATE owners SET margin_method = ? WHERE id = ?', [GLOBAL, owner]);
    expect(await margin('from=2020-01-01&to=2020-03-31')).to.deep.equal([0, 210, 0]);
    expect(await rows()).to.deep.equal([`${FIRST} 2 ${INDIVIDUAL}`, `${thisQuarter()} null ${GLOBAL}`]);

    await execute(database(), 'DELETE FROM vatregimes WHERE owner_id = ?', [owner]);
    expect((await client.get('/vatreturn?from=2020-01-01&to=2020-03-31')).status).to.equal(200);
    expect(await rows()).to.deep.equal([`${FIRST} 2 ${GLOBAL}`]);
    await execute(database(), 'DELETE FROM vatregimes WHERE owner_id = ?', [owner]);
    await completeAllBooks(database());

    expect(await rows()).to.deep.equal([`${FIRST} 2 ${GLOBAL}`]);
  });
});
