// forecourt journal as an operator's cron uses it: the file that POST /export makes, or no file and a list of the
// missing fields.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, buildInvoice } from '../support/build/build.ts';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { exported } from '../support/client/export.ts';
import { forecourt, forecourtJson } from '../support/process/forecourt.ts';
import { serviceEnvironment } from '../support/service/service.ts';

const DAYS = { from: '2020-01-01', to: '2099-12-31' };

describe('forecourt journal', () => {
  let client: Client;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let words: string[];
  beforeEach(async () => {
    client = await newClient();
    const { id } = await build(client, 'turnovergroup', { ledger_account: '8000' });
    await buildInvoice(client, {}, { turnover_group_id: id });
    folder = await mkdtemp(join(tmpdir(), 'forecourt-cli-journal-'));
    env = serviceEnvironment();
    words = ['journal', '--owner', String(client.garage.owner), '--from', DAYS.from, '--to', DAYS.to];
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('writes the file of the same export', async () => {
    const out = join(folder, 'journal.csv');
    for (const form of [
      { format: 'snelstart' },
      { format: 'csv', decimal: ',' },
      { format: 'csv', journals: ['purchases', 'bank'] },
    ]) {
      const options = Object.entries(form).flatMap(([name, value]) => [`--${name}`, String(value)]);
      const made = await forecourtJson(env, ...words, ...options, '--out', out);
      const { text, summary } = await exported(client, { resource: 'journal', ...DAYS, ...form });

      expect(await readFile(out, 'utf8')).to.equal(text);
      const { rows, bytes, sha256, debit } = summary;
      expect(made).to.deep.include({ file: out, rows, bytes, sha256, debit });
    }
  });

  it('names all that the period lacks, with its record, and writes nothing', async () => {
    await client.put(`/owner/${client.garage.owner}`, { debtor_account: null, vat_high_account: null });

    const said = await forecourt(env, [...words, '--out', join(folder, 'none')]);

    expect(said).to.include({ code: 1, out: '' });
    expect(said.err.split('\n').filter((line) => line.startsWith('forecourt: '))).to.deep.equal(
      ['debtor', 'vat_high'].map(
        (name) =>
          `forecourt: Field: [${name}_account] is required and cannot be empty: owner [${client.garage.owner}]`,
      ),
    );
    expect(await readdir(folder)).to.deep.equal([]);
  });

  for (const [wrong, code, line] of [
    [['--format', 'pdf'], 2, /--format must be one of csv, snelstart, exact, twinfield, xaf, not "pdf"/],
    [['--journals', 'sales,banks'], 2, /--journals must be one of sales, .*, margin, not "banks"/],
    [['--decimal', ';'], 2, /--decimal must be one of \., ,, not ";"/],
    [['--from', '2026-02-30'], 2, /--from must be a day such as 2026-01-31, not "2026-02-30"/],
    [['--to', '2019-12-31'], 2, /--to must not be before --from, but is "2019-12-31"/],
    [['--owner', '999999'], 1, /There is no owner 999999/],
  ] as const)
    it(`refuses ${wrong.join(' ')}`, async () => {
      const said = await forecourt(env, [...words, '--out', join(folder, 'none'), ...wrong]);

      expect(said).to.include({ code, out: '' });
      expect(said.err).to.match(line);
      expect(await readdir(folder)).to.deep.equal([]);
    });
});
