// Storages of both kinds, each empty: a folder, and a bucket of the S3 server of the tests.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage, type Storage } from '../../../src/platform/storage/open.ts';
import { testConfig } from '../service/service.ts';
import { openS3, type S3Server } from './s3-server.ts';

export interface OpenedStorage {
  readonly storage: Storage;
  /** The configuration that opens it again. */
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  /** The server of a bucket. */
  readonly s3?: S3Server;
  close(): Promise<void>;
}

export async function openTestStorage(kind: 'folder' | 'bucket'): Promise<OpenedStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-storage-'));
  const s3 = kind === 'bucket' ? await openS3() : undefined;
  const restore = setVariables(s3?.aws ?? {});
  const env = { STORAGE_DIR: folder, ...s3?.env };
  const storage = await openStorage(testConfig(folder, env));
  return {
    storage,
    env,
    folder,
    s3,
    close: async () => {
      storage.close();
      restore();
      await s3?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The SDK reads its keys from the environment of the process by itself. Returns a function that undoes the change. */
export function setVariables(changes: NodeJS.ProcessEnv): () => void {
  const before = Object.keys(changes).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, changes);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
