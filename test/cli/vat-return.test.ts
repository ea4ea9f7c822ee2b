// forecourt vat-return as an operator's cron uses it: the boxes of a period on the terminal, as JSON and as a file.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LISTS } from '../../src/core/trade/lists.ts';
import { invoiceOn } from '../support/books/books.ts';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { forecourt, forecourtJson } from '../support/process/forecourt.ts';
import { serviceEnvironment } from '../support/service/service.ts';

const DAYS = ['--from', '2026-01-01', '--to', '2026-03-31'];

describe('forecourt vat-return', () => {
  let client: Client;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let words: string[];
  before(async () => {
    client = await newClient();
    await invoiceOn(client, '2026-02-01', [{ price: 100 }]);
    folder = await mkdtemp(join(tmpdir(), 'forecourt-vat-return-'));
    env = serviceEnvironment();
    words = ['vat-return', '--owner', String(client.garage.owner)];
  });
  after(() => rm(folder, { recursive: true }));

  it('prints the boxes, and writes what the API answers', async () => {
    const file = join(folder, 'return.json');

    const json = await forecourtJson(env, ...words, ...DAYS, '--out', file);
    const { out } = await forecourt(env, [...words, ...DAYS]);

    const { data } = await client.get('/vatreturn?from=2026-01-01&to=2026-03-31');
    expect(json).to.deep.equal({ from: '2026-01-01', to: '2026-03-31', ...data });
    expect(JSON.parse(await readFile(file, 'utf8'))).to.deep.equal(data);
    expect(out).to.match(/^1a +100\.00 +21\.00$/m);
    expect(out).to.match(/^5a +100\.00 +21\.00$/m);
  });

  it('says what is wrong', async () => {
    const other = await newClient();
    await invoiceOn(other, '2026-02-01', [{ price: 100, vat_code: LISTS.vatcodes.MARGIN }]);
    const run = (...more: string[]) => forecourt(env, ['vat-return', ...more]);

    const wrongDay = await run('--owner', '1', '--from', '2026-02-30', '--to', '2026-03-31');
    expect([wrongDay.code, wrongDay.err.split('\n')[0]]).to.deep.equal([
      2,
      'forecourt: --from must be a day such as 2026-01-31, not "2026-02-30"',
    ]);
    const turned = await run('--owner', '1', '--from', '2026-04-01', '--to', '2026-03-31');
    expect([turned.code, turned.err.split('\n')[0]]).to.deep.equal([
      2,
      'forecourt: --to must not be before --from, but is "2026-03-31"',
    ]);
    const noMethod = await run('--owner', String(other.garage.owner), ...DAYS);
    expect(noMethod.code).to.equal(1);
    expect(noMethod.err).to.include('Field: [margin_method] is required and cannot be empty');
    expect((await run('--owner', '999999', ...DAYS)).err).to.include('There is no owner 999999');
  });
});
