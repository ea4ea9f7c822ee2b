// docs/integrators.md and docs/bookkeeping.md: all of their commands run against the service, in order, in one shell.
// The functions of the first page accept a real callback and refuse a forged one.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LISTS } from '../../src/core/trade/lists.ts';
import { invoiceOn } from '../support/books/books.ts';
import { buildBuyer } from '../support/build/build.ts';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { blocks, section, withValues } from '../support/files/document.ts';
import { openReceiver, type Receiver } from '../support/process/https-receiver.ts';
import { PASSWORD, theService } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));

describe('docs/integrators.md and docs/bookkeeping.md', () => {
  let text: string;
  let folder: string;
  let client: Client;
  let receiver: Receiver;
  let late: number;
  before(async function () {
    this.timeout(180_000);
    text = await readFile(pathOf('integrators.md'), 'utf8');
    const books = await readFile(pathOf('bookkeeping.md'), 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'forecourt-integrators-'));
    client = await newClient();
    receiver = await openReceiver();
    // An overdue invoice, for the month's end.
    const buyer = await buildBuyer(client, { external_id: 'K-17' });
    late = (await invoiceOn(client, '2025-11-01', [{ price: 100 }], { contact_id: buyer.id })).id;
    const values = { ...valuesOf(client), WEBHOOK_URL: receiver.url('/hook?shop=7') };
    await runShell(`${text}\n${books}`, values);
    await until(async () => called('/hook') && called('/events'), 60_000);
  });
  after(async () => {
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The reader's own values. */
  const valuesOf = ({ garage: { apiKey, username } }: Client) => ({
    BASE: `${theService().url}/v2`,
    API_KEY: apiKey,
    USERNAME: username,
    PASSWORD,
    EVENTS_URL: receiver.url('/events'),
  });

  /** Runs all commands of a part of the document. */
  const runShell = (part: string, values: Readonly<Record<string, string>>) =>
    promisify(execFile)('bash', ['-euc', withValues(blocks(part, 'sh').join('\n'), values)], {
      cwd: folder,
      // `date` gives the year of the garage.
      env: { ...process.env, TZ: 'Europe/Amsterdam' },
    });

  /** The appointments that have an order. */
  const visits = async (garage: Client, expanded = 'vehicle') =>
    (await garage.get(`/appointment?filter=order_id[null]:0&expand=order,contact,${expanded}`)).data;

  const called = (path: string) => receiver.requests.find(({ url }) => url?.startsWith(path));

  it('adds a customer and an order with lines, and makes an invoice of it', async () => {
    const { data } = await client.get('/order?filter=external_id:web-1001&expand=contact,orderline');

    expect(data).to.have.length(1);
    expect(data[0]).to.include({ is_invoiced: 1, total_net: 302.78 });
    expect(data[0].contact.external_id).to.equal('K-17');
    expect(data[0].orderline).to.have.length(2);
  });

  it('sends a web order again, and changes a line of it by its key', async () => {
    const { data } = await client.get('/order?filter=external_id:web-1003&expand=orderline');

    expect(data).to.have.length(1);
    expect(data[0].orderline.map(({ quantity }: Json) => quantity)).to.deep.equal([4, 1]);
    expect(data[0].total_gross).to.equal(78.65);
  });

  it('downloads its PDF, and copies the orders', async () => {
    const zip = await readFile(join(folder, 'invoice.zip'));
    const copied = JSON.parse(await readFile(join(folder, 'orders.ndjson'), 'utf8'));

    expect(zip.subarray(0, 4).toString('latin1')).to.equal('PK\u0003\u0004');
    expect(zip.includes('.pdf')).to.equal(true);
    expect(copied.data.map(({ external_id }: Json) => external_id)).to.deep.equal([
      null,
      'web-1003',
      'web-1001',
    ]);
  });

  it('ends a month: the boxes, who owes what, and a reminder', async () => {
    const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8')).data;

    expect((await read('vat-return.json'))['1a']).to.deep.equal({ base: 302.78, vat: 63.58 });
    expect(await read('vat-lines.json')).to.have.length(2);
    expect(await read('icp.json')).to.deep.equal([]);
    expect((await read('debtors.json')).map(({ total }: Json) => total)).to.deep.equal([287.36]);
    const { data } = await client.get(`/order/${late}`);
    expect(data.reminder_count).to.equal(1);
  });

  it('ends a month with the close of its days', async () => {
    const filed = JSON.parse(await readFile(join(folder, 'filed.json'), 'utf8')).data;
    const { books_closed_until } = JSON.parse(await readFile(join(folder, 'closed.json'), 'utf8')).data;

    expect(filed['1a']).to.deep.equal({ base: 302.78, vat: 63.58 });
    expect(Date.parse(books_closed_until)).to.be.below(Date.now());
    expect((await client.get('/owner')).data[0].books_closed_until).to.equal(null);
  });

  it('exports the contacts', async () => {
    const lines = (await readFile(join(folder, 'contact.ndjson'), 'utf8')).trim().split('\n');
    const { rows, after } = JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8'));

    expect(lines.map((line) => JSON.parse(line).external_id)).to.deep.equal(['K-17']);
    expect(JSON.parse(lines[0] ?? '').city).to.equal('Utrecht');
    expect([rows, typeof after]).to.deep.equal([1, 'string']);
  });

  it('follows the changes from the instant of the export', async () => {
    const { data, next } = JSON.parse(await readFile(join(folder, 'changes.json'), 'utf8'));

    expect(data).to.have.length(1);
    expect(data[0]).to.include({ resource: 'contact', external_id: 'K-17', action: 'updated' });
    expect(data[0].fields).to.deep.equal(['city']);
    expect(data[0].record.city).to.equal('Zeist');
    expect(next).to.be.a('string');
  });

  it('books a free slot with an order, and sends an event when the car is ready', async () => {
    const data = await visits(client);

    expect(data).to.have.length(1);
    expect([data[0].contact.external_id, data[0].vehicle.external_id]).to.deep.equal(['K-17', 'V-17']);
    expect(data[0].order.order_status).to.equal(LISTS.orderstatuses.READY);
    const event = JSON.parse(called('/events')?.body ?? '');
    expect([event.type, event.data.id]).to.deep.equal(['order.updated', data[0].order_id]);
    const { changes } = (await client.get(`/audit?filter=resource:appointment,record_id:${data[0].id}`))
      .data[1];
    expect(changes.starts_at).to.deep.equal(['2026-05-04T06:00:00.000Z', '2026-05-05T06:00:00.000Z']);
  });

  it('gives the appointment of an ill mechanic to a colleague', async () => {
    const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8')).data;
    const [visit] = await visits(client, 'employee');

    expect((await read('conflicts.json')).map((row: Json) => row.appointment_id)).to.deep.equal([visit.id]);
    expect(await read('no-conflicts.json')).to.deep.equal([]);
    expect([visit.employee.first_name, visit.starts_at]).to.deep.equal(['Zoë', '2026-05-05T06:00:00.000Z']);
  });

  it('books a job over lunch, and exchanges two appointments', async () => {
    const path = '/appointment?filter=starts_at[ge]:2026-05-06&sort=starts_at,id&expand=employee';

    const [long, ...swapped] = (await client.get(path)).data;

    expect(long).to.include({ is_over_breaks: 1, ends_at: '2026-05-06T11:30:00.000Z' });
    expect(swapped.map((one: Json) => one.description)).to.deep.equal(['Grote beurt', 'APK']);
    const names = swapped.map(({ employee }: { employee: Json }) => employee.first_name);
    expect(names).to.deep.equal(['Zoë', 'Jan']);
  });

  it('books online without the sections between', async () => {
    const other = await newClient();
    const parts = ['Log in', 'Online booking in ten lines'].map((title) => section(text, title));

    await runShell(parts.join('\n'), valuesOf(other));

    const data = await visits(other);
    expect(data).to.have.length(1);
    expect(data[0].contact.country_id).to.equal(1);
    expect(data[0].order.order_status).to.equal(LISTS.orderstatuses.READY);
  });

  const programs: [command: string, language: string, file: string, call: string][] = [
    ['node', 'js', 'verify.mjs', 'console.log(isGenuine(...JSON.parse(process.argv[2])))'],
    ['python3', 'python', 'verify.py', 'import json, sys\nprint(is_genuine(*json.loads(sys.argv[1])))'],
    ['php', 'php', 'verify.php', 'echo json_encode(isGenuine(...json_decode($argv[1], true)));'],
  ];
  for (const [command, language, file, call] of programs) {
    if (spawnSync(command, ['--version']).error) continue;
    it(`verifies a callback with ${command}`, async () => {
      await writeFile(join(folder, file), `${blocks(text, language)[0]}\n${call}\n`);
      const verify = async (headers: object, address: string, secret: string) => {
        const given = JSON.stringify([headers, address, secret]);
        const { stdout } = await promisify(execFile)(command, [join(folder, file), given]);
        return stdout.trim().toLowerCase();
      };
      const received = called('/hook');
      const headers = received?.headers ?? {};
      const address = receiver.url(received?.url);
      const { webhookSecret } = client.garage;
      const early = String(Number(headers['webhook-timestamp']) - 3_600);

      expect(await verify(headers, address, webhookSecret)).to.equal('true');
      expect(await verify(headers, `${address}0`, webhookSecret)).to.equal('false');
      expect(await verify(headers, address, `${webhookSecret}0`)).to.equal('false');
      expect(await verify({ ...headers, 'webhook-signature': 'v1,é' }, address, webhookSecret)).to.equal(
        'false',
      );
      expect(await verify({ ...headers, 'webhook-timestamp': early }, address, webhookSecret)).to.equal(
        'false',
      );
      expect(await verify({}, address, webhookSecret)).to.equal('false');
    });
  }
});
