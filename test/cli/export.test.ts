// forecourt export as an operator uses it: the whole file and its figures, or no file and one line that says why.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, buildBuyer } from '../support/build/build.ts';
import { changes } from '../support/client/changes.ts';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { listed, recordsIn } from '../support/client/export.ts';
import { forecourt, forecourtJson } from '../support/process/forecourt.ts';
import { serviceEnvironment } from '../support/service/service.ts';

describe('forecourt export', () => {
  let client: Client;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let words: string[];
  before(async () => {
    client = await newClient();
    for (const city of ['Utrecht', 'Zeist', '=Bunnik']) await buildBuyer(client, { city });
    folder = await mkdtemp(join(tmpdir(), 'forecourt-cli-export-'));
    env = serviceEnvironment();
    words = ['export', '--owner', String(client.garage.owner), '--resource', 'contact'];
  });
  after(() => rm(folder, { recursive: true }));

  it('writes what the list shows, and prints rows, digest and cursor', async () => {
    const file = join(folder, 'contacts.ndjson');
    await writeFile(file, 'of last week');

    const made = await forecourtJson(env, ...words, '--out', file);
    const later = await build(client, 'turnovergroup');

    const text = await readFile(file, 'utf8');
    expect(recordsIn(text)).to.deep.equal(await listed(client, '/contact?sort=id'));
    expect(made).to.deep.include({
      file,
      rows: 3,
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    });
    const { data } = await changes(client, { after: String(made.after) });
    expect(data.map(({ id }: { id: number }) => id)).to.deep.equal([later.id]);
    expect(await readdir(folder)).to.deep.equal(['contacts.ndjson']);
  });

  it('takes the parameters of a list', async () => {
    const file = join(folder, 'contacts.csv');
    const list = ['--filter', 'city[ne]:Zeist', '--fields', 'city', '--sort', '-id', '--format', 'csv'];

    const guarded = await forecourt(env, [...words, ...list, '--out', file]);
    const text = await readFile(file, 'utf8');
    await forecourt(env, [...words, ...list, '--raw', '--out', file]);

    expect(text).to.match(/^id,city\r\n\d+,'=Bunnik\r\n\d+,Utrecht\r\n$/);
    expect(await readFile(file, 'utf8')).to.match(/^id,city\r\n\d+,=Bunnik\r\n\d+,Utrecht\r\n$/);
    expect(guarded).to.include({ code: 0, err: '' });
    expect(guarded.out).to.match(
      /^\S+contacts\.csv was written, 2 rows, \d+ bytes, SHA-256 [0-9a-f]{64}\nThe feed of changes goes on behind: \S+\n$/,
    );
  });

  for (const [what, wrong, code, line] of [
    [
      'a resource that does not exist',
      ['--resource', 'boat'],
      2,
      /--resource must be one of .*article, .*"boat"/,
    ],
    ['another format', ['--format', 'xml'], 2, /--format must be ndjson or csv, not "xml"/],
    ['an owner that does not exist', ['--owner', '999999'], 1, /There is no owner 999999/],
    ['an unknown field', ['--fields', 'colour'], 1, /Field: \[colour\] not found in model/],
    ['a filter that is none', ['--filter', 'city'], 1, /Parameter invalid \[filter\] at character 5/],
    ['a folder in place of a file', ['--out', tmpdir()], 1, /exists and is not a file/],
    ['a folder that is not there', ['--out', '/no/such/folder/a.csv'], 1, /ENOENT/],
  ] as const)
    it(`refuses ${what} in one line`, async () => {
      const before = await readdir(folder);

      const said = await forecourt(env, [...words, '--out', join(folder, 'none'), ...wrong, '--json']);

      expect(said).to.include({ code, out: '' });
      expect(said.err)
        .to.match(line)
        .and.match(/^forecourt: [^\n]+\n$/);
      expect(await readdir(folder)).to.deep.equal(before);
    });
});
