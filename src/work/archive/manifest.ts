// The manifest of an owner backup: its form, and the checks of a manifest that comes from outside.
import type { ArchivedFile } from '../../platform/zip/write.ts';

export const FORMAT = 'forecourt-backup';
export const VERSION = 1;

/** `manifest.json` of an owner backup. It lists all other files of the zip, in their order. */
export interface Manifest {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly service_version: string;
  readonly owner: { readonly id: number; readonly name: string };
  /** ISO 8601, UTC. */
  readonly snapshot_at: string;
  readonly files: readonly ArchivedFile[];
}

export const README = 'README.txt';

/** The name in the zip of a resource's records. */
export const dataPath = (resource: string) => `data/${resource}.ndjson`;

const DOCUMENTS = 'documents/';
/** The name in the zip of a stored file. */
export const documentPath = (sha256: string) => `${DOCUMENTS}${sha256}`;
export const isDocument = ({ path }: ArchivedFile): boolean => path.startsWith(DOCUMENTS);

/** Records by resource. */
export const rowsByResource = (files: readonly ArchivedFile[]): Record<string, number> =>
  Object.fromEntries(
    files.flatMap(({ resource, rows = 0 }) => (resource === undefined ? [] : [[resource, rows]])),
  );

/** The value as a manifest. Throws an error that says what is wrong with it. */
export function checkManifest(value: unknown): Manifest {
  const manifest = value as Manifest;
  if (manifest?.format !== FORMAT) throw new Error(`its format is not ${FORMAT}`);
  if (manifest.version !== VERSION) throw new Error(`version ${manifest.version} is unknown here`);
  const { service_version, owner, snapshot_at, files } = manifest;
  const complete =
    isText(service_version) &&
    isText(snapshot_at) &&
    isCount(owner?.id) &&
    isText(owner.name) &&
    Array.isArray(files) &&
    files.every(isFile);
  if (!complete) throw new Error('a part of it is missing or malformed');
  return manifest;
}

function isFile(file: ArchivedFile | null): boolean {
  if (!isText(file?.path) || !isCount(file.bytes) || !/^[0-9a-f]{64}$/.test(file.sha256)) return false;
  if (isDocument(file) && file.path !== documentPath(file.sha256)) return false;
  if (file.resource === undefined) return true;
  return file.path === dataPath(file.resource) && isCount(file.rows);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
