// The settings of the VAT return on closed days: no change of them concerns such a day, whoever makes it.
import { DateTime } from 'luxon';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { invoiceOn, setGarage } from '../../support/books/books.ts';
import { close, closedBooks, closedJournal, PERIOD_CLOSED } from '../../support/books/closed.ts';
import { build } from '../../support/build/build.ts';
import { dayOf, THIS_YEAR } from '../../support/build/day.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const { linekinds, vatcodes, marginmethods, vatperiods } = LISTS;
const { INDIVIDUAL, GLOBAL } = marginmethods;
const { MONTH, QUARTER, YEAR } = vatperiods;
const [FROM, TO] = ['2026-01-01', '2026-06-30'];
const FIRST = '1900-01-01T00:00:00.000Z';

describe('the settings of closed days', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
    await setGarage(client, { margin_method: GLOBAL, vat_period: QUARTER });
  });

  const put = (body: Json) => client.put(`/owner/${client.garage.owner}`, body);
  const add = (valid_from: string, body: Json) => client.post('/vatregime', { valid_from, ...body });
  const rows = async () =>
    (await client.get('/vatregime?sort=valid_from')).data.map(
      ({ valid_from, vat_period, margin_method }: Json) => `${valid_from} ${vat_period} ${margin_method}`,
    );
  const sells = async (day: string) => {
    const accounts = { ledger_account: '8110', cost_ledger_account: '7110' };
    const turnover_group_id = (await build(client, 'turnovergroup', accounts)).id;
    const car = { line_kind: linekinds.VEHICLE, vat_code: vatcodes.MARGIN, purchase_price: 0 };
    return invoiceOn(client, day, [{ ...car, price: 1210, turnover_group_id }]);
  };

  it('stay in the rows', async () => {
    const second = (await add('2026-04-01', { vat_period: MONTH })).data.id;
    const third = (await add('2026-10-01', { margin_method: INDIVIDUAL })).data.id;
    const [first] = (await client.get('/vatregime?sort=valid_from')).data;
    await close(client, TO);

    const refused = [
      add('2026-01-01', { vat_period: QUARTER }),
      client.put(`/vatregime/${first.id}`, { margin_method: INDIVIDUAL }),
      client.put(`/vatregime/${second}`, { vat_period: QUARTER }),
      client.put(`/vatregime/${second}`, { valid_from: '2026-07-01' }),
      client.put(`/vatregime/${third}`, { valid_from: '2026-05-01' }),
      client.del(`/vatregime/${second}`),
    ];

    for (const answer of await Promise.all(refused)) expect(answer).to.be.refused(409, PERIOD_CLOSED);
    expect((await client.put(`/vatregime/${second}`, { vat_period: MONTH })).status).to.equal(200);
    expect((await client.put(`/vatregime/${third}`, { valid_from: '2026-07-01' })).status).to.equal(200);
    expect((await client.del(`/vatregime/${third}`)).status).to.equal(200);
    expect((await add('2026-07-01', { vat_period: QUARTER })).status).to.equal(201);
    await close(client, '2026-03-31');
    expect((await client.del(`/vatregime/${second}`)).status).to.equal(200);
  });

  it('are no field of the garage that would begin on such a day', async () => {
    const day = { margin_carried_in: 10, margin_from: '2026-07-01' };
    await close(client, TO);
    expect(await put({ vat_period: MONTH })).to.be.refused(409, PERIOD_CLOSED);
    await sells('2026-07-10');

    expect(await put(day)).to.be.refused(409, PERIOD_CLOSED);
    await close(client, null);
    await put(day);
    await close(client, TO);

    expect(await put({ margin_from: '2026-04-01' })).to.be.refused(409, PERIOD_CLOSED);
    expect(await put({ margin_from: null, margin_carried_in: null })).to.be.refused(409, PERIOD_CLOSED);
    expect((await put({ margin_carried_in: 20 })).status).to.equal(200);
    expect((await put({ margin_from: '2026-10-01' })).status).to.equal(200);
    expect((await put({ vat_period: MONTH })).status).to.equal(200);
    await close(client, '2026-10-31');
    expect(await put({ margin_carried_in: 30 })).to.be.refused(409, PERIOD_CLOSED);
    expect(await put({ vat_period: null })).to.be.refused(
      403,
      'Field: [vat_period] is required and cannot be empty',
    );
  });

  it('let a change be taken back that is planned for a later day', async () => {
    await put({ vat_period: YEAR });
    await sells(dayOf());
    const later = `${THIS_YEAR + 1}-01-01`;
    expect((await add(later, { vat_period: MONTH })).status).to.equal(201);
    await close(client, DateTime.fromISO(dayOf()).minus({ days: 1 }).toISODate());

    const answer = await put({ vat_period: YEAR });

    expect(answer.status, answer.text).to.equal(200);
    expect(answer.data.vat_period).to.equal(YEAR);
    expect(await rows()).to.deep.equal([`${FIRST} ${YEAR} ${GLOBAL}`]);
  });

  it('keep their entries in the journal', async () => {
    await sells('2026-02-10');
    await close(client, TO);
    const margin_turnover_account = '8190';
    expect(await put({ margin_turnover_account })).to.be.refused(409, PERIOD_CLOSED);

    await close(client, null);
    await put({ margin_turnover_account });
    await close(client, TO);

    expect(await closedJournal(client, FROM, TO)).to.have.length(4);
    expect(await put({ margin_turnover_account: ' ' })).to.be.refused(409, PERIOD_CLOSED);
    expect((await put({ margin_turnover_account: '8191' })).status).to.equal(200);
    expect(await closedJournal(client, FROM, TO)).to.have.length(4);
  });

  it('keep no account that no entry of closed days needs', async () => {
    await sells('2026-02-10');
    await close(client, '2026-01-31');
    expect((await put({ margin_turnover_account: '8190' })).status).to.equal(200);

    const other = await newClient();
    await setGarage(other, { margin_method: INDIVIDUAL, vat_period: QUARTER });
    await close(other, TO);

    const path = `/owner/${other.garage.owner}`;
    expect((await other.put(path, { margin_turnover_account: '8190' })).status).to.equal(200);
  });

  it('stay when the release before changes the garage', async () => {
    await sells('2026-02-10');
    await close(client, TO);
    const filed = await closedBooks(client, FROM, TO);

    await execute(
      database(),
      'UPDATE owners SET margin_method = ?, vat_period = ?, modified_at = ? WHERE id = ?',
      [INDIVIDUAL, MONTH, '2026-05-15 12:00:00', client.garage.owner],
    );

    expect(await closedBooks(client, FROM, TO)).to.deep.equal(filed);
    expect(await rows()).to.deep.equal([
      `${FIRST} ${QUARTER} ${GLOBAL}`,
      `2026-07-01T00:00:00.000Z ${MONTH} ${INDIVIDUAL}`,
    ]);
  });
});
