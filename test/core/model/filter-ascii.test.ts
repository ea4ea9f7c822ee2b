// Filters and cursors of columns that have ASCII only, which a database compares with no other text.
import { allResources, loadResources } from '../../../src/core/model/records/registry.ts';
import { auditResource } from '../../../src/platform/changes/audit-resource.ts';
import { deliveryResource } from '../../../src/platform/changes/webhook-delivery.ts';
import { jobResource } from '../../../src/work/jobs/job.ts';
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { subscribe } from '../../support/client/event.ts';
import { expect } from '../../support/client/expect.ts';
import { select } from '../../support/database/sql.ts';
import { openReceiver, type Receiver } from '../../support/process/https-receiver.ts';
import { heldJob } from '../../support/service/job.ts';
import { database } from '../../support/service/service.ts';

const FIELDS = [
  ['audit', 'resource'],
  ['job', 'id'],
  ['webhookdelivery', 'type'],
  ['webhookdelivery', 'status'],
] as const;
/** The values of these lists begin with a letter or a digit, and é sorts behind all of them. */
const NOTHING = ['[eq]:é', '[in]:é|😀', '[gt]:é', '[ge]:é', '[like]:*é*', '[has]:xé', '[has]:"😀 a"'];
const EVERYTHING = ['[ne]:é', '[ni]:é|😀', '[lt]:é', '[le]:é', '[null]:0', '[like]:*'];

describe('a column of ASCII', () => {
  let client: Client;
  let receiver: Receiver;
  before(async () => {
    receiver = await openReceiver();
    client = await newClient();
    await heldJob(client);
    const { id } = await subscribe(client, receiver, { resources: ['article'] });
    await client.post('/webhooksubscription/test', { id });
    await build(client, 'contact');
  });
  after(() => receiver.close());

  const found = async (path: string, field: string, filter: string): Promise<unknown[]> => {
    const { status, text, data } = await client.get(
      `/${path}?page_size=1000&filter=${encodeURIComponent(filter)}`,
    );
    expect(status, text).to.equal(200);
    return data.map((one: Record<string, unknown>) => one[field]);
  };

  for (const [path, field] of FIELDS)
    it(`is filtered by any text: ${field} of ${path}`, async () => {
      const all = (await client.get(`/${path}?page_size=1000`)).data;

      expect(all).not.to.have.length(0);
      for (const condition of NOTHING)
        expect(await found(path, field, field + condition), condition).to.deep.equal([]);
      for (const condition of EVERYTHING)
        expect(await found(path, field, field + condition), condition).to.have.length(all.length);
    });

  it('is found by a part of its text, where case and accents do not count', async () => {
    for (const part of ['cont', 'NTACT', 'çontáct'])
      expect(await found('audit', 'resource', `resource[has]:${part}`), part).to.deep.equal(['contact']);
    expect(await found('audit', 'resource', 'resource[in]:é|contact')).to.deep.equal(['contact']);
    expect(await found('audit', 'resource', 'resource[ge]:contact,resource[lt]:conté')).to.deep.equal([
      'contact',
    ]);
  });

  it('has no other text in a cursor', async () => {
    const { next } = (await client.get('/audit?sort=resource&page_size=1')).body;
    const [list, , ...rest] = JSON.parse(Buffer.from(next, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify([list, 'é', ...rest])).toString('base64url');

    expect((await client.get(`/audit?sort=resource&page_size=1&cursor=${next}`)).status).to.equal(200);
    expect(await client.get(`/audit?sort=resource&page_size=1&cursor=${forged}`)).to.be.refused(
      400,
      'Parameter invalid [cursor] value is not a cursor of this list',
    );
  });

  it('is that of each field which says so, and of no other field', async () => {
    const COLUMNS =
      "SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = DATABASE() AND character_set_name = 'ascii'";
    await loadResources();
    const columns = await select(database(), COLUMNS);
    const isAscii = (table: string, name: string) => columns.some(({ t, c }) => t === table && c === name);

    for (const { table, fields } of [...allResources(), auditResource, deliveryResource, jobResource])
      for (const [name, field] of fields)
        expect(field.isAscii === true, `${table}.${name}`).to.equal(isAscii(table, name));
  });
});
