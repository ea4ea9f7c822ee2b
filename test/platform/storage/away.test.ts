// A bucket that is away, refuses or hangs: one kind of error, in bounded time.

import { openStorage } from '../../../src/platform/storage/open.ts';
import { StorageAway } from '../../../src/platform/storage/store.ts';
import { expect } from '../../support/client/expect.ts';
import type { S3Server } from '../../support/process/s3-server.ts';
import { type OpenedStorage, openTestStorage, setVariables } from '../../support/process/storages.ts';
import { testConfig } from '../../support/service/service.ts';

describe('a bucket that is away', () => {
  let opened: OpenedStorage;
  let s3: S3Server;
  beforeEach(async () => {
    opened = await openTestStorage('bucket');
    s3 = opened.s3 as S3Server;
  });
  afterEach(() => opened.close());

  const caught = (work: Promise<unknown>) => work.catch((reason: Error) => reason);

  it('is away for every call while nobody listens, and answers afterwards', async () => {
    const { documents } = opened.storage;
    await s3.stop();

    for (const work of [
      () => documents.find('a'),
      () => documents.read('a'),
      () => documents.write('a', Buffer.from('a')),
      () => documents.writeOnce('a', 'a'),
      () => documents.remove('a'),
      () => documents.discard('a'),
      () => documents.list()[Symbol.asyncIterator]().next(),
      () => documents.leftOvers()[Symbol.asyncIterator]().next(),
    ])
      expect(await caught(work())).to.be.instanceOf(StorageAway);
    await s3.start();

    expect(await documents.find('a')).to.equal(undefined);
  });

  for (const status of [403, 500, 503])
    it(`is away where it answers ${status}`, async () => {
      s3.onCall = () => status;

      expect(await caught(opened.storage.documents.find('a'))).to.be.instanceOf(StorageAway);
    });

  it('is away where it never answers', async () => {
    s3.onCall = () => 'hang';

    expect(await caught(opened.storage.documents.find('a'))).to.be.instanceOf(StorageAway);
  }).timeout(60_000);

  it('is away where it leaves in the middle of an object', async () => {
    const { documents } = opened.storage;
    await documents.write('a', Buffer.alloc(20 * 2 ** 20));
    const content = await documents.read('a');

    const error = await caught(
      (async () => {
        for await (const _ of content ?? []) await s3.stop();
      })(),
    );

    expect(error).to.be.instanceOf(StorageAway);
  });

  it('has an object whose parts it joined before the answer was lost', async () => {
    const { archives } = opened.storage;
    async function* parts() {
      for (let part = 0; part < 10; part += 1) yield Buffer.alloc(2 ** 20, part);
    }
    s3.losesCompletions = true;

    await archives.write('whole.zip', parts());

    expect(await archives.find('whole.zip')).to.include({ size: 10 * 2 ** 20 });
  });

  it('is another error where the request itself is wrong', async () => {
    s3.onCall = () => 400;

    expect(await caught(opened.storage.documents.find('a'))).not.to.be.instanceOf(StorageAway);
  });
});

describe('the start with a bucket', () => {
  let opened: OpenedStorage;
  beforeEach(async () => {
    opened = await openTestStorage('bucket');
  });
  afterEach(() => opened.close());

  const refusal = (changes: NodeJS.ProcessEnv = {}) =>
    openStorage(testConfig(opened.folder, { ...opened.env, ...changes })).then(
      () => 'none',
      ({ message }: Error) => message,
    );

  it('is refused in one line that names STORAGE_URL', async () => {
    const url = opened.env.STORAGE_URL;

    expect(await refusal({ STORAGE_URL: 's3://nobodys-bucket/x' })).to.equal(
      "STORAGE_URL s3://nobodys-bucket/x can't be used: NoSuchBucket",
    );
    const restore = setVariables({ AWS_ACCESS_KEY_ID: 'AKIAWRONG' });
    const wrongKey = await refusal();
    restore();
    expect(wrongKey).to.equal(`STORAGE_URL ${url} can't be used: InvalidAccessKeyId`);
    await opened.s3?.stop();
    expect(await refusal()).to.match(/^STORAGE_URL .* can't be used: connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
  });
});

describe('the addresses of a bucket', () => {
  for (const [name, value, reason] of [
    ['STORAGE_URL', 'https://bucket/x', 'must look like s3://bucket/prefix'],
    ['STORAGE_URL', 's3://', 'must look like s3://bucket/prefix'],
    ['STORAGE_URL', 's3://Bucket', 'must look like s3://bucket/prefix'],
    ['STORAGE_URL', 's3://key:secret@bucket', 'must look like s3://bucket/prefix'],
    ['STORAGE_URL', 's3://bucket/a/../b', 'must look like s3://bucket/prefix'],
    ['STORAGE_URL', 's3://bucket/a?b', 'must look like s3://bucket/prefix'],
    ['S3_ENDPOINT', 's3.example', 'must look like https://s3.example:9000'],
    ['S3_ENDPOINT', 'https://a:b@s3.example', 'must be an address without user, query or fragment'],
    ['S3_REGION', 'eu west', 'must be a name such as eu-west-1, not "eu west"'],
  ] as const)
    it(`refuses ${name}=${value}`, () => {
      expect(() => testConfig('storage', { [name]: value })).to.throw(`${name} ${reason}`);
    });

  it('takes a bucket with and without a prefix, and the region of AWS', () => {
    const read = (changes: NodeJS.ProcessEnv) => testConfig('storage', changes);

    expect(read({ STORAGE_URL: 's3://my.bucket-1/' }).storageUrl).to.equal('s3://my.bucket-1');
    expect(read({ STORAGE_URL: 's3://bucket/a/b/' }).storageUrl).to.equal('s3://bucket/a/b');
    expect(read({}).s3Region).to.equal('us-east-1');
    expect(read({ AWS_REGION: 'eu-west-1' }).s3Region).to.equal('eu-west-1');
    expect(read({ AWS_REGION: 'eu-west-1', S3_REGION: 'nl-ams' }).s3Region).to.equal('nl-ams');
  });
});
