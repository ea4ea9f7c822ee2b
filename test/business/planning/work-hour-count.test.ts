// An employee or a workplace has at most 200 hours. Older rows beyond this bound stay, and are served.
import { build } from '../../support/build/build.ts';
import { buildWorkshop, type Workshop } from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';
import { writeRows } from '../../support/database/many-rows.ts';
import { database } from '../../support/service/service.ts';

const MOST = 200;
const TOO_MANY = 'Too many workhours';
const MORNING = { weekday: 1, start_time: '08:00', end_time: '12:00' };

describe('the hours of an employee or a workplace', () => {
  let client: Client;
  let shop: Workshop;
  before(async () => {
    client = await newClient();
  });
  beforeEach(async () => {
    shop = await buildWorkshop(client);
  });

  const add = (whose: Json, more: Json = {}) => client.post('/workhour', { ...MORNING, ...whose, ...more });
  const ofEmployee = () => ({ employee_id: shop.employee_id });
  const ofWorkplace = () => ({ workplace_id: shop.workplace_id });
  const countOf = async (whose: Json) => {
    const [[field, id] = []] = Object.entries(whose);
    return (await client.get(`/workhour?filter=${field}:${id}&count=1&page_size=1`)).body.total;
  };
  /** As an older release took them. */
  const write = (whose: Json, count: number) =>
    writeRows(database(), client.garage.owner, { table: 'workhours', count }, () => ({
      ...MORNING,
      ...whose,
    }));

  it('are 200 at most, of each for itself', async () => {
    for (const whose of [ofEmployee(), ofWorkplace()]) {
      await write(whose, MOST - 1);

      expect((await add(whose)).status).to.equal(201);
      const refused = await add(whose);

      expect(refused).to.be.refused(409, TOO_MANY);
      expect(refused.body.code).to.equal('too_many_workhours');
      expect(await countOf(whose)).to.equal(MOST);
    }
  });

  it('are 200 at most, whatever comes at once', async () => {
    await write(ofEmployee(), MOST - 2);

    const answers = await atOnce(client, ['employee', shop.employee_id], () => add(ofEmployee()));

    expect(answers.filter(({ status }) => status === 201)).to.have.length(2);
    expect(answers.filter(({ status }) => status === 409)).to.have.length(AT_ONCE - 2);
    expect(await countOf(ofEmployee())).to.equal(MOST);
  });

  it('are judged where a PUT moves them, and not where it changes a time', async () => {
    await write(ofEmployee(), MOST + 5);
    const [mine] = (await client.get(`/workhour?filter=employee_id:${shop.employee_id}&page_size=1`)).data;
    const { id } = await build(client, 'workhour', { ...MORNING, ...ofWorkplace() });
    const put = (hours: number, body: Json) => client.put(`/workhour/${hours}`, body);

    expect(await put(id, { ...ofEmployee(), workplace_id: null })).to.be.refused(409, TOO_MANY);
    expect((await put(mine.id, { end_time: '13:00' })).status).to.equal(200);
    expect(await add(ofEmployee())).to.be.refused(409, TOO_MANY);
    expect((await put(mine.id, { employee_id: null, ...ofWorkplace() })).status).to.equal(200);
    expect(await countOf(ofEmployee())).to.equal(MOST + 4);
  });

  it('are 200 at most by an import, too', async () => {
    await write(ofEmployee(), MOST - 2);
    const lines = Array.from({ length: 5 }, (_, index) => ({
      ...MORNING,
      ...ofEmployee(),
      external_id: `${shop.employee_id}-${index}`,
    }));

    const { summary, rows } = await importJson(client, 'resource=workhour', lines);

    expect(summary).to.include({ created: 2, refused: 3 });
    expect(rows.filter(({ status }) => status === 'refused')[0].errors[0].message).to.equal(TOO_MANY);
    expect(await countOf(ofEmployee())).to.equal(MOST);
  });

  it('are refused after references and the unique key', async () => {
    await write(ofEmployee(), MOST);
    await add(ofWorkplace(), { external_id: `taken-${shop.workplace_id}` });

    expect(await add({ employee_id: 2147483647 })).to.be.refused(
      404,
      'Field: [employee_id] value: [2147483647] ID not found',
    );
    expect(await add(ofEmployee(), { external_id: `taken-${shop.workplace_id}` })).to.be.refused(
      409,
      `Field: [external_id] value: [taken-${shop.workplace_id}] has a duplicate illegal value`,
    );
  });
});
