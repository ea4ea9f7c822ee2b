// Copies a storage to another one, for example from a folder to a bucket. Skips files that are there already, so an
// interrupted copy goes on where it stopped.
import { createHash } from 'node:crypto';
import type { Storage } from './open.ts';
import { SIGNING_SECRET } from './secret.ts';
import { readText, type Store } from './store.ts';

/** Each holds the parts of one upload in memory. */
const FILES_AT_ONCE = 4;

// Other names, such as the files of a probe, are no content.
const KINDS = [
  { kind: 'archives', names: /^[\w-]+\.zip$/, hasDigest: false },
  { kind: 'uploads', names: /^[0-9a-f-]{36}$/, hasDigest: false },
  { kind: 'documents', names: /^[0-9a-f]{64}$/, hasDigest: true },
] as const;

interface CopyOptions {
  readonly signal?: AbortSignal;
  /** Gets the files done, and their total. */
  readonly onProgress?: (done: number, of: number) => void;
}

export interface Copied {
  readonly copied: number;
  /** Files of the same name and size. */
  readonly skipped: number;
  /** Documents whose name is not the SHA-256 of their bytes. They were not copied. */
  readonly damaged: readonly string[];
  /**
   * Documents that only the other storage has: they were deleted here since an earlier copy, or are of another service.
   */
  readonly only_there: readonly string[];
}

interface Task {
  readonly from: Store;
  readonly to: Store;
  readonly name: string;
  readonly hasDigest: boolean;
}

/**
 * Copies the signing secret, the archives and the documents. The ID of the installation stays: the other storage is of
 * another installation. Throws if the other storage has another secret.
 */
export async function copyStorage(
  from: Storage,
  to: Storage,
  { signal, onProgress = () => {} }: CopyOptions = {},
): Promise<Copied> {
  await copySecret(from.root, to.root);
  const { tasks, skipped, onlyThere } = await plan(from, to);
  const damaged: string[] = [];
  const left = [...tasks];
  let done = 0;
  const work = async () => {
    for (let task = left.pop(); task; task = left.pop()) {
      if (!(await copy(task, signal))) damaged.push(task.name);
      done += 1;
      onProgress(done, tasks.length);
    }
  };
  // The others finish or clean up before an error is thrown.
  const stopped = (error: unknown) => {
    left.length = 0;
    return error;
  };
  const works = Array.from({ length: FILES_AT_ONCE }, () => work().then(() => undefined, stopped));
  const error = (await Promise.all(works)).find((one) => one !== undefined);
  if (error !== undefined) throw error;
  return {
    copied: tasks.length - damaged.length,
    skipped,
    damaged: damaged.sort(),
    only_there: onlyThere.sort(),
  };
}

async function copySecret(from: Store, to: Store): Promise<void> {
  const secret = await readText(from, SIGNING_SECRET);
  if (secret === undefined || (await to.writeOnce(SIGNING_SECRET, secret))) return;
  if ((await readText(to, SIGNING_SECRET)) !== secret)
    throw new Error(`${to.address} has another ${SIGNING_SECRET}; remove it if no service has used it`);
}

async function plan(
  from: Storage,
  to: Storage,
): Promise<{ tasks: Task[]; skipped: number; onlyThere: string[] }> {
  const tasks: Task[] = [];
  const onlyThere: string[] = [];
  let skipped = 0;
  for (const { kind, names, hasDigest } of KINDS) {
    const sizes = new Map<string, number>();
    for await (const { name, size } of to[kind].list()) sizes.set(name, size);
    for await (const { name, size } of from[kind].list()) {
      if (!names.test(name)) continue;
      if (sizes.get(name) === size) skipped += 1;
      else tasks.push({ from: from[kind], to: to[kind], name, hasDigest });
      sizes.delete(name);
    }
    // Archives are removed by their age, wherever they are.
    if (kind === 'documents') onlyThere.push(...[...sizes.keys()].filter((name) => names.test(name)));
  }
  return { tasks, skipped, onlyThere };
}

/** False: the document is damaged. A file that has gone meanwhile is left out. */
async function copy({ from, to, name, hasDigest }: Task, signal: AbortSignal | undefined): Promise<boolean> {
  signal?.throwIfAborted();
  const content = await from.read(name);
  if (!content) return true;
  const wrong = new Error('SHA-256 mismatch');
  async function* checked(chunks: AsyncIterable<Buffer>) {
    const hash = createHash('sha256');
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      hash.update(chunk);
      yield chunk;
    }
    if (hasDigest && hash.digest('hex') !== name) throw wrong;
  }
  try {
    await to.write(name, checked(content));
    return true;
  } catch (error) {
    if (error === wrong) return false;
    throw error;
  } finally {
    content.destroy();
  }
}
