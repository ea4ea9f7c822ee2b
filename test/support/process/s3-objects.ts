// The objects and the open uploads of the S3 server of the tests, in a folder. A file gets its name when it is
// complete.
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const SMALLEST_PART = 5 * 1024 * 1024;

/** A refusal as S3 words it. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

interface S3Object {
  readonly key: string;
  readonly size: number;
  readonly modified: Date;
}

export class S3Objects {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async open(): Promise<void> {
    for (const name of ['objects', 'uploads', 'temporary'])
      await mkdir(join(this.folder, name), { recursive: true });
  }

  private pathOf = (key: string) => join(this.folder, 'objects', encodeURIComponent(key));
  private uploadPath = (id: string) => join(this.folder, 'uploads', id);

  /** Sorted by key. */
  async list(prefix: string): Promise<S3Object[]> {
    const keys = (await readdir(join(this.folder, 'objects'))).map(decodeURIComponent);
    const found = await Promise.all(
      keys.filter((key) => key.startsWith(prefix)).map((key) => this.find(key).catch(() => undefined)),
    );
    return found.filter((object) => object !== undefined).sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async find(key: string): Promise<S3Object> {
    const { size, mtime } = await stat(this.pathOf(key)).catch(() => {
      throw new S3Error(404, 'NoSuchKey');
    });
    return { key, size, modified: mtime };
  }

  read = (key: string, range: { start: number; end: number }) => createReadStream(this.pathOf(key), range);

  /** Returns the ETag. `isNew`: refuses a key that is taken. */
  async put(key: string, body: Readable, isNew: boolean): Promise<string> {
    const { path, tag } = await this.receive(body);
    if (!isNew) await rename(path, this.pathOf(key));
    else {
      await link(path, this.pathOf(key)).catch(() => {
        throw new S3Error(412, 'PreconditionFailed');
      });
      await rm(path);
    }
    return tag;
  }

  remove = (key: string) => rm(this.pathOf(key), { force: true });

  async begin(key: string): Promise<string> {
    const id = randomBytes(16).toString('hex');
    await mkdir(this.uploadPath(id));
    await writeFile(join(this.uploadPath(id), 'key'), key);
    return id;
  }

  async uploads(prefix: string): Promise<{ key: string; id: string; begun: Date }[]> {
    const found = [];
    for (const id of await readdir(join(this.folder, 'uploads'))) {
      const path = join(this.uploadPath(id), 'key');
      // It may begin or end just now.
      const read = await Promise.all([readFile(path, 'utf8'), stat(path)]).catch(() => undefined);
      if (!read) continue;
      const [key, { birthtime: begun }] = read;
      if (key.startsWith(prefix)) found.push({ key, id, begun });
    }
    return found.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async putPart(id: string, number: string, body: Readable): Promise<string> {
    await this.demandUpload(id);
    const { path, tag } = await this.receive(body);
    await rename(path, join(this.uploadPath(id), number));
    await writeFile(join(this.uploadPath(id), `${number}.tag`), tag);
    return tag;
  }

  async complete(id: string, parts: readonly { number: string; tag: string }[]): Promise<void> {
    const key = await this.demandUpload(id);
    const whole = join(this.folder, 'temporary', id);
    await writeFile(whole, '');
    for (const [index, { number, tag }] of parts.entries()) {
      const path = join(this.uploadPath(id), number);
      if ((await readFile(`${path}.tag`, 'utf8')) !== tag) throw new S3Error(400, 'InvalidPart');
      const { size } = await stat(path);
      if (size < SMALLEST_PART && index < parts.length - 1) throw new S3Error(400, 'EntityTooSmall');
      await pipeline(createReadStream(path), createWriteStream(whole, { flags: 'a' }));
    }
    await rename(whole, this.pathOf(key));
    await rm(this.uploadPath(id), { recursive: true });
  }

  async abort(id: string): Promise<void> {
    await this.demandUpload(id);
    await rm(this.uploadPath(id), { recursive: true });
  }

  /** The key of an open upload. */
  private demandUpload = (id: string): Promise<string> =>
    readFile(join(this.uploadPath(id), 'key'), 'utf8').catch(() => {
      throw new S3Error(404, 'NoSuchUpload');
    });

  /** A body that breaks off leaves nothing. */
  private async receive(body: Readable): Promise<{ path: string; tag: string }> {
    const path = join(this.folder, 'temporary', randomBytes(8).toString('hex'));
    const hash = createHash('md5');
    try {
      body.on('data', (chunk) => hash.update(chunk));
      await pipeline(body, createWriteStream(path));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { path, tag: `"${hash.digest('hex')}"` };
  }
}
