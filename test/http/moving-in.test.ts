// docs/moving-in.md: all of its commands run against the service, in order, in one shell.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { blocks, withValues } from '../support/files/document.ts';
import { PASSWORD, theService } from '../support/service/service.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

describe('docs/moving-in.md', () => {
  let client: Client;
  let folder: string;
  let said: string;
  before(async function () {
    this.timeout(60_000);
    client = await newClient();
    folder = await mkdtemp(join(tmpdir(), 'forecourt-moving-in-'));
    const { apiKey, username } = client.garage;
    const text = await readFile(join(PROJECT, 'docs/moving-in.md'), 'utf8');
    const values = { BASE: `${theService().url}/v2`, API_KEY: apiKey, USERNAME: username, PASSWORD };
    const script = withValues(blocks(text, 'sh').join('\n'), values)
      .replace('scripts/', `${join(PROJECT, 'scripts')}/`)
      .replaceAll('sleep 1', 'sleep 0.1');
    said = (await promisify(execFile)('bash', ['-euc', script], { cwd: folder })).stdout;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('ends with all records of the old program', async () => {
    const contacts = (await client.get('/contact?sort=external_id')).data as Json[];
    const vehicles = (await client.get('/vehicle?sort=external_id')).data as Json[];
    const articles = (await client.get('/article?sort=external_id')).data as Json[];

    expect(contacts.map(({ debtor_number }) => debtor_number)).to.deep.equal(
      ['417', '418', '419', '420', '421'].map((number) => `000${number}`),
    );
    expect(contacts[0]?.notes).to.equal('Belt liever niet.\r\nMailt wel: "zo snel mogelijk".');
    expect(contacts[1]?.company_name).to.equal('Bakker; zonen');
    expect(vehicles.map(({ license_plate }) => license_plate)).to.deep.equal([
      '12-AB-34',
      'SX-TL-96',
      'GB-001-B',
    ]);
    expect(vehicles[2]?.sale_price).to.equal(8950);
    expect(
      articles.map(({ article_number, description, price }) => [article_number, description, price]),
    ).to.deep.equal([
      ['007-1', 'Oliefilter', 12.5],
      ['007-2', 'Canapé reinigen', 65],
    ]);
  });

  it('ends with the old invoices, which come once', async () => {
    const orders = (await client.get('/order?sort=id&expand=orderline')).data;

    expect(orders.map(({ invoice_number, total_net }: Json) => [invoice_number, total_net])).to.deep.equal([
      ['201900017', 257.5],
      ['201900018', 39.67],
    ]);
    expect(said.match(/"status":"unchanged"/g)).to.have.length(2);
  });

  it('ends with what was never paid', async () => {
    const { data } = await client.get('/order?filter=amount_open[gt]:0');

    expect(data.map(({ invoice_number, amount_open }: Json) => [invoice_number, amount_open])).to.deep.equal([
      ['201900018', 48],
    ]);
  });

  it('shows what its text says of the faults', () => {
    expect(said).to.include('Line 3: column [3]: the bytes are not UTF-8 text');
    expect(said).to.include('Write year, month and day: 2027-05-31');
    expect(said).to.include('Write a decimal point and no other points: 8950.00');
    expect(said).to.match(/"dry_run":1.*"created":2,"updated":0,"unchanged":0,"refused":3/);
  });
});
