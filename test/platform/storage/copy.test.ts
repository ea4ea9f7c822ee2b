// forecourt storage copy: into a bucket and back, broken off and resumed.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyStorage } from '../../../src/platform/storage/copy.ts';
import { installationId, signingSecret } from '../../../src/platform/storage/secret.ts';
import { readText, type Store } from '../../../src/platform/storage/store.ts';
import { expect } from '../../support/client/expect.ts';
import { forecourt } from '../../support/process/forecourt.ts';
import { processEnvironment } from '../../support/process/process.ts';
import { type OpenedStorage, openTestStorage } from '../../support/process/storages.ts';

const MEBIBYTE = 2 ** 20;
const ARCHIVE = 'owner-backup-00000000-0000-4000-8000-000000000000-1.zip';

describe('forecourt storage copy', () => {
  let folder: OpenedStorage;
  let bucket: OpenedStorage;
  let back: string;
  let documents: Map<string, Buffer>;
  beforeEach(async () => {
    [folder, bucket] = [await openTestStorage('folder'), await openTestStorage('bucket')];
    back = await mkdtemp(join(tmpdir(), 'forecourt-back-'));
    documents = new Map();
    for (const bytes of [10, 0, MEBIBYTE, 9 * MEBIBYTE].map((length) => randomBytes(length)))
      documents.set((await folder.storage.files.put(bytes)).sha256, bytes);
    await folder.storage.archives.write(ARCHIVE, randomBytes(20 * MEBIBYTE));
    await signingSecret(folder.storage, '');
    await installationId(folder.storage);
  });
  afterEach(async () => {
    await Promise.all([folder.close(), bucket.close()]);
    await rm(back, { recursive: true, force: true });
  });

  const url = () => bucket.env.STORAGE_URL ?? '';
  const copy = async (from: string, to: string) => {
    const said = await forecourt({ ...bucket.env }, ['storage', 'copy', from, to, '--json']);
    return { ...said, json: said.out === '' ? undefined : JSON.parse(said.out) };
  };

  it('copies into a bucket and back, all but the ID of the installation', async () => {
    const there = await copy(folder.folder, url());
    const again = await copy(folder.folder, url());
    const home = await copy(url(), back);

    expect([there.json, home.json]).to.deep.equal(
      Array(2).fill({ copied: 5, skipped: 0, damaged: [], only_there: [] }),
    );
    expect(again.json).to.deep.equal({ copied: 0, skipped: 5, damaged: [], only_there: [] });
    for (const [sha256, bytes] of documents)
      expect((await readFile(join(back, 'documents', sha256))).equals(bytes)).to.equal(true);
    const [before, after] = [join(folder.folder, 'archives', ARCHIVE), join(back, 'archives', ARCHIVE)];
    expect((await readFile(before)).equals(await readFile(after))).to.equal(true);
    expect(await readFile(join(back, 'signing-secret'), 'utf8')).to.equal(
      await readFile(join(folder.folder, 'signing-secret'), 'utf8'),
    );
    expect(await bucket.storage.root.find('installation-id')).to.equal(undefined);
  });

  it('names the documents that were deleted here since', async () => {
    await copy(folder.folder, url());
    const [gone = ''] = [...documents.keys()];
    await folder.storage.files.remove(gone);

    const { json } = await copy(folder.folder, url());

    expect(json).to.deep.equal({ copied: 0, skipped: 4, damaged: [], only_there: [gone] });
  });

  it('goes on after it was broken off, and leaves nothing partial', async () => {
    const abort = new AbortController();
    const broken = await copyStorage(folder.storage, bucket.storage, {
      signal: abort.signal,
      onProgress: (done) => done === 2 && abort.abort(new Error('broken off')),
    }).catch((reason: Error) => reason);
    const left = await bucket.s3?.objects.uploads('');

    const { copied, skipped } = await copyStorage(folder.storage, bucket.storage);

    expect(broken).to.have.property('message', 'broken off');
    expect(left).to.deep.equal([]);
    expect(copied + skipped).to.equal(5);
    expect(skipped).to.be.greaterThan(1);
    expect(await names(bucket.storage.documents)).to.deep.equal([...documents.keys()].sort());
  });

  it('goes on after it was killed in the middle of an upload', async () => {
    const env = processEnvironment(bucket.folder, bucket.env);
    const program = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url));
    const child = spawn(process.execPath, [program, 'storage', 'copy', folder.folder, url()], {
      env: { ...env, ...bucket.s3?.env },
    });
    if (bucket.s3)
      bucket.s3.onCall = ({ query }) => {
        if (child.killed || query.get('partNumber') !== '1') return undefined;
        child.kill('SIGKILL');
        return 'hang';
      };
    const [, signal] = await once(child, 'exit');
    const half = await bucket.storage.archives.find(ARCHIVE);

    const { json } = await copy(folder.folder, url());

    expect([signal, half]).to.deep.equal(['SIGKILL', undefined]);
    expect(json.copied + json.skipped).to.equal(5);
    expect((await bucket.storage.archives.find(ARCHIVE))?.size).to.equal(20 * MEBIBYTE);
  }).timeout(60_000);

  it('names damaged documents, copies all others, and exits with 1', async () => {
    const [damaged = ''] = [...documents.keys()].slice(-1);
    await writeFile(join(folder.folder, 'documents', damaged), 'something else');

    const { code, json } = await copy(folder.folder, url());

    expect(code).to.equal(1);
    expect(json).to.deep.equal({ copied: 4, skipped: 0, damaged: [damaged], only_there: [] });
    expect(await bucket.storage.documents.find(damaged)).to.equal(undefined);
  });

  it('does not replace another signing secret', async () => {
    await bucket.storage.root.writeOnce('signing-secret', 'another');

    const { code, err } = await copy(folder.folder, url());

    expect(code).to.equal(1);
    expect(err).to.match(
      /^forecourt: s3:.* has another signing-secret; remove it if no service has used it\n$/,
    );
    expect(await readText(bucket.storage.root, 'signing-secret')).to.equal('another');
    expect(await names(bucket.storage.documents)).to.deep.equal([]);
  });

  it('refuses a folder that is no storage, a wrong address and a copy onto itself', async () => {
    expect(await copy(back, url())).to.include({
      code: 1,
      err: `forecourt: ${back} is not a storage: it has no folder "documents"\n`,
    });
    expect(await copy(folder.folder, 's3:/x')).to.include({
      code: 2,
      err: 'forecourt: <to> must look like s3://bucket/prefix\n',
    });
    expect(await copy(`${url()}/`, url())).to.include({ code: 2 });
  });

  async function names(store: Store): Promise<string[]> {
    const found: string[] = [];
    for await (const { name } of store.list()) found.push(name);
    return found.sort();
  }
});
