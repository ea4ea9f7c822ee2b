// Reads backups whole, compares them apart from their IDs, and forges them.
import { readFile, writeFile } from 'node:fs/promises';
import type { Resource } from '../../../src/core/model/records/record.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { ownedTables } from '../../../src/core/model/records/table.ts';
import { intoFile } from '../../../src/platform/storage/whole-file.ts';
import { type ArchivedFile, type ArchiveEntry, writeArchive } from '../../../src/platform/zip/write.ts';
import type { Manifest } from '../../../src/work/archive/manifest.ts';
import { backUp } from '../../../src/work/archive/owner-backup.ts';
import { readArchive } from '../../../src/work/archive/read.ts';
import { linksOf } from '../../../src/work/archive/references.ts';
import type { Json } from '../client/client.ts';
import { theService } from '../service/service.ts';

export interface Backup {
  readonly manifest: Manifest;
  /** The files by their names. */
  readonly content: Map<string, Buffer>;
  /** The records by resource. */
  readonly records: Record<string, Json[]>;
}

export async function readBackup(path: string): Promise<Backup> {
  const archive = await readArchive(path);
  const content = new Map<string, Buffer>();
  const records: Record<string, Json[]> = {};
  for (const file of archive.manifest.files) {
    const chunks: Buffer[] = [];
    for await (const chunk of archive.content(file)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    content.set(file.path, bytes);
    if (file.resource !== undefined) records[file.resource] = linesOf(bytes).map((line) => JSON.parse(line));
  }
  archive.close();
  return { manifest: archive.manifest, content, records };
}

/** The records, with referred records in place of their IDs: the same for a backup and for the restored garage. */
export function canonical({ records }: Backup): Record<string, Json[]> {
  const places = new Map(
    Object.entries(records).map(([name, some]) => [name, new Map(some.map(({ id }, place) => [id, place]))]),
  );
  const indexOf = (resource: string, id: unknown): unknown =>
    id == null || !places.has(resource) ? id : places.get(resource)?.get(id);
  const rewrite = (resource: Resource, record: Json): Json => {
    const { references, copies } = linksOf(resource);
    const changed: Json = { ...record, id: indexOf(resource.name, record.id) };
    for (const [field, to] of references) changed[field] = indexOf(to, record[field]);
    for (const [field, of] of copies) {
      const copy = record[field] as Json | Json[];
      const one = (item: Json) => rewrite(resourceNamed(of), item);
      changed[field] = Array.isArray(copy) ? copy.map(one) : one(copy);
    }
    return changed;
  };
  return Object.fromEntries(
    Object.entries(records).map(([name, some]) => [
      name,
      some.map((record) => rewrite(resourceNamed(name), record)),
    ]),
  );
}

/**
 * The records of a backup, to compare a restored garage with. Usernames are left out: in one database a restored garage
 * gives up those that are taken. So are subscriptions: the restored ones are blocked, because a backup has no secrets.
 */
export async function comparableRecords(path: string): Promise<Record<string, Json[]>> {
  const { employee = [], webhooksubscription, ...records } = canonical(await readBackup(path));
  return { ...records, employee: employee.map(({ username, ...others }) => others) };
}

/** Backs an owner up to a file, as the job does. */
export async function writeBackup(owner: number, path: string): Promise<void> {
  const { connection, storage } = theService().base;
  const { documents } = storage;
  await backUp(connection, owner, intoFile(path), {
    tables: ownedTables(),
    documents,
    serviceVersion: '1.2.3',
  });
}

export interface Forgery {
  /** Changes the records of a resource. */
  readonly records?: Record<string, (records: Json[]) => unknown>;
  /** Adds a file, replaces one, or takes it away. */
  readonly files?: Record<string, string | undefined>;
  /** Changes the manifest, which otherwise fits the files. */
  readonly manifest?: (manifest: Manifest) => object;
  /** Changes the bytes of the zip. */
  readonly bytes?: (zip: Buffer) => Buffer;
}

/** Writes a copy of a backup with some forged parts. */
export async function forge({ manifest, content, records }: Backup, path: string, forgery: Forgery) {
  const files = new Map<string, string | Buffer | undefined>(content);
  for (const [resource, change] of Object.entries(forgery.records ?? {})) {
    const changed = structuredClone(records[resource] ?? []);
    change(changed);
    files.set(`data/${resource}.ndjson`, changed.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }
  for (const [name, text] of Object.entries(forgery.files ?? {})) files.set(name, text);
  const entries = [...files].flatMap(([name, bytes]) => (bytes === undefined ? [] : [entryOf(name, bytes)]));
  await writeArchive(intoFile(path), entries, {
    manifest: (made: readonly ArchivedFile[]) => {
      const fitting = { ...manifest, files: made };
      return forgery.manifest?.(fitting) ?? fitting;
    },
  });
  if (forgery.bytes) await writeFile(path, forgery.bytes(await readFile(path)));
}

function entryOf(path: string, bytes: string | Buffer): ArchiveEntry {
  const resource = /^data\/(\w+)\.ndjson$/.exec(path)?.[1];
  const rows = () => linesOf(Buffer.from(bytes)).length;
  return {
    path,
    ...(resource === undefined ? {} : { resource, rows }),
    content: async function* () {
      yield Buffer.from(bytes);
    },
  };
}

const linesOf = (bytes: Buffer): string[] => bytes.toString().split('\n').slice(0, -1);
