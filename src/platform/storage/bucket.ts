// A store in an S3-compatible bucket: the keys below one prefix. Long content is uploaded in parts while it is made,
// and its key appears when the last part is in. No copy of it is kept on the local disk.
import { PassThrough, Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type MultipartUpload,
  NoSuchUpload,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { DAY_MS } from '../../core/trade/time/duration.ts';
import { ANSWER, reach, statusOf, TRANSFER, translate, unlessMissing } from './bucket-client.ts';
import { type ByteRange, StorageAway, type Store } from './store.ts';

// An upload has 10,000 parts at most, so an archive may have 78 GiB. Four parts are in memory at a time.
const PARTS = { partSize: 8 * 1024 * 1024, queueSize: 2 } as const;
const TAKEN = new Set([409, 412]);
const NOT_IMPLEMENTED = 501;

/** `prefix` ends in a slash or is empty. */
export function openBucket(client: S3Client, Bucket: string, prefix: string): Store {
  const at = (name: string) => ({ Bucket, Key: `${prefix}${name}` });
  const remove = async (name: string) => {
    await reach(() => client.send(new DeleteObjectCommand(at(name)), ANSWER));
  };
  const abort = async ({ Key, UploadId }: MultipartUpload) => {
    // Another process may have ended the upload.
    await unlessMissing(() =>
      client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), ANSWER),
    );
  };
  return {
    address: `s3://${Bucket}/${prefix}`,
    write: (name, content) => reach(() => write(client, at(name), content)),
    writeOnce: (name, text) => reach(() => writeOnce(client, at(name), text)),
    find: async (name) => {
      const found = await unlessMissing(() => client.send(new HeadObjectCommand(at(name)), ANSWER));
      return found && { size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
    },
    read: (name, range) => read(client, at(name), range),
    remove,
    discard: async (name) => {
      for await (const upload of uploads(client, Bucket, at(name).Key))
        if (upload.Key === at(name).Key) await abort(upload);
      await remove(name);
    },
    list: async function* () {
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })[Symbol.asyncIterator]();
      for (let page = await reach(() => pages.next()); !page.done; page = await reach(() => pages.next())) {
        for (const { Key = '', Size = 0 } of page.value.Contents ?? []) {
          const name = Key.slice(prefix.length);
          if (!name.includes('/')) yield { name, size: Size };
        }
      }
    },
    leftOvers: async function* () {
      for await (const upload of uploads(client, Bucket, prefix)) {
        const name = (upload.Key ?? '').slice(prefix.length);
        const begun = upload.Initiated?.getTime() ?? 0;
        if (name.includes('/')) continue;
        const isFresh = begun > Date.now() - DAY_MS;
        yield { name, isFresh, isAbandoned: false, remove: () => abort(upload) };
      }
    },
    hasSpace: async () => true,
  };
}

/** Throws if the bucket does not exist or does not answer. */
export async function demandAnswer(client: S3Client, Bucket: string, Prefix: string): Promise<void> {
  await reach(() => client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }), ANSWER));
}

interface Address {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Bytes are one request. A stream is one too if it is shorter than a part; else the SDK aborts its upload after an
 * error.
 */
async function write(
  client: S3Client,
  address: Address,
  content: Buffer | AsyncIterable<Buffer>,
): Promise<void> {
  if (Buffer.isBuffer(content))
    await client.send(new PutObjectCommand({ ...address, Body: content }), TRANSFER);
  else await upload(client, address, content);
}

async function upload(client: S3Client, address: Address, content: AsyncIterable<Buffer>): Promise<void> {
  try {
    await new Upload({ client, params: { ...address, Body: Readable.from(content) }, ...PARTS }).done();
  } catch (error) {
    if (!(error instanceof NoSuchUpload)) throw error;
    // The SDK asks again if the answer to the completion is lost. By then the store may have joined the parts.
    const found = await unlessMissing(() => client.send(new HeadObjectCommand(address), ANSWER));
    if (!found) throw new StorageAway(error);
  }
}

async function writeOnce(client: S3Client, address: Address, text: string): Promise<boolean> {
  if (await unlessMissing(() => client.send(new HeadObjectCommand(address), ANSWER))) return false;
  const put = { ...address, Body: Buffer.from(text) };
  try {
    await client.send(new PutObjectCommand({ ...put, IfNoneMatch: '*' }), ANSWER);
    return true;
  } catch (error) {
    if (TAKEN.has(statusOf(error))) return false;
    if (statusOf(error) !== NOT_IMPLEMENTED) throw error;
    // The store has no conditional write. If two processes start together, the later write stays.
    await client.send(new PutObjectCommand(put), ANSWER);
    return true;
  }
}

async function read(
  client: S3Client,
  address: Address,
  range: ByteRange | undefined,
): Promise<Readable | undefined> {
  const Range = range && `bytes=${range.start}-${range.end}`;
  const answer = await unlessMissing(() => client.send(new GetObjectCommand({ ...address, Range }), ANSWER));
  if (!answer) return undefined;
  const body = answer.Body as Readable;
  const content = new PassThrough();
  body.on('error', (error) => content.destroy(translate(error) as Error));
  content.on('close', () => body.destroy());
  return body.pipe(content);
}

/** The open uploads whose keys begin with the prefix. */
async function* uploads(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<MultipartUpload> {
  let next: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (next) {
    const asked: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({ Bucket, Prefix, ...next });
    const page = await reach(() => client.send(asked, ANSWER));
    yield* page.Uploads ?? [];
    next = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : undefined;
  }
}
