// Finds the program of the private database server: MariaDB or MySQL. The servers do not read each other's data, so the
// server that made a data folder is the only one that may open it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programFolders, type ServerKind } from '../config.ts';
import { PrivateServerError } from './private-server-folder.ts';

export interface Program {
  readonly path: string;
  readonly kind: ServerKind;
}

const NAMES: Readonly<Record<ServerKind, string>> = { mariadb: 'MariaDB', mysql: 'MySQL' };

const run = promisify(execFile);

/** The server of that data folder, which need not exist. `kind`: DATABASE_SERVER. */
export async function findProgram(data: string, kind: ServerKind | undefined): Promise<Program> {
  const { installed, broken } = await installedPrograms();
  return chooseProgram(installed, { data, made: makerOf(data), kind, broken });
}

/**
 * The server that `made` the data folder. For a new folder: `kind`, otherwise MariaDB, or MySQL if only MySQL is
 * installed. `broken`: why installed programs can't run. Throws a PrivateServerError.
 */
export function chooseProgram(
  installed: readonly Program[],
  {
    data,
    made,
    kind,
    broken = [],
  }: {
    data: string;
    made: ServerKind | undefined;
    kind: ServerKind | undefined;
    broken?: readonly string[];
  },
): Program {
  if (made && kind && made !== kind)
    throw new PrivateServerError(
      `${NAMES[made]} made the data folder ${data}, but DATABASE_SERVER is ${kind}: unset DATABASE_SERVER, or choose another STORAGE_DIR.`,
    );
  const wanted = made ?? kind;
  const preferred: readonly ServerKind[] = wanted ? [wanted] : ['mariadb', 'mysql'];
  for (const one of preferred) {
    const program = installed.find((found) => found.kind === one);
    if (program) return program;
  }
  if (broken.length > 0) throw new PrivateServerError(broken.join(' '));
  const [other] = installed;
  if (made && other)
    throw new PrivateServerError(
      `${NAMES[made]} made the data folder ${data}, and only ${NAMES[other.kind]} is installed here: install ${NAMES[made]}, or choose another STORAGE_DIR.`,
    );
  throw notInstalled(wanted);
}

/** One program of each kind that is installed, and a sentence about each program that can't run. */
async function installedPrograms(): Promise<{ installed: Program[]; broken: string[] }> {
  const paths = ['mariadbd', 'mysqld'].flatMap((name) =>
    programFolders()
      .map((folder) => join(folder, name))
      .filter((path) => existsSync(path)),
  );
  const asked = await Promise.all(
    paths.map(async (path) => {
      const version = await run(path, ['--no-defaults', '--version']).catch((error: RunError) => error);
      return { path, version };
    }),
  );
  const found: Program[] = [];
  const broken: string[] = [];
  for (const { path, version } of asked) {
    if (version instanceof Error) {
      broken.push(`The database server ${path} can't run: ${lastLine(version)}`);
      continue;
    }
    // MariaDB installs itself under the name mysqld too.
    const kind = /mariadb/i.test(version.stdout) ? 'mariadb' : 'mysql';
    if (!found.some((one) => one.kind === kind)) found.push({ path, kind });
  }
  return { installed: found, broken };
}

type RunError = Error & { readonly stderr?: string };

/** What the program said last: MariaDB 10.11 refuses a clock of 2038 and says so. */
const lastLine = ({ message, stderr = '' }: RunError) => stderr.trim().split('\n').at(-1) || message;

/** The kind of server whose data the folder holds. Undefined: there is no folder yet. */
function makerOf(data: string): ServerKind | undefined {
  if (!existsSync(data)) return undefined;
  // The catalogue of MySQL, which MariaDB does not have.
  return existsSync(join(data, 'mysql.ibd')) ? 'mysql' : 'mariadb';
}

export const notInstalled = (kind: ServerKind = 'mariadb') =>
  new PrivateServerError(
    kind === 'mariadb'
      ? 'No database server found: apt-get install mariadb-server-core, or set DATABASE_URL to a running server.'
      : 'No mysqld found: install the MySQL server, or set DATABASE_URL to a running server.',
  );
