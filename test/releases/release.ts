// The kept installation of a release: a dump of its database, a backup of its garage, and how to log in.
import { readdir } from 'node:fs/promises';

export const RELEASES = new URL('../../../test/releases/', import.meta.url);
export const OPENAPI = new URL('../../../api/', import.meta.url);

/** The kind of server that the tests run on. Each kind has an installation of its own. */
export const KIND = process.env.DATABASE_SERVER ?? 'mariadb';
export const DUMP = 'database.sql.gz';
export const BACKUP = 'backup.zip';
export const LOGIN = 'login.json';
/** Encrypts the secrets of the kept keys. */
export const SIGNING_SECRET = 'the signing secret of the kept releases';

/** The contents of login.json: the user of the kept garage, and the secret of the key that it has. */
export interface Login {
  readonly owner: number;
  readonly api_key: string;
  readonly username: string;
  readonly password: string;
}

/** The releases that are kept, such as `1.0.0`. */
export async function keptReleases(): Promise<string[]> {
  const entries = await readdir(RELEASES, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
