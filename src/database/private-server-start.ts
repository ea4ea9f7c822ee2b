// Starts the private database server: finds its program, makes its data folder the first time, runs it apart
// from this process. Arguments are those that MariaDB 10.6 and MySQL 8.0 both take, but for the few marked.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../config.ts';
import { nameOf } from '../process-name.ts';
import { type Place, PrivateServerError } from './private-server-place.ts';

const MEBIBYTE = 2 ** 20;

/** Starts the server, its data folder made first where there is none. Only for the one whose turn it is. */
export async function startServer(
  place: Place,
  settings: string[],
  log: (line: string) => void,
): Promise<ChildProcess> {
  const program = await findProgram();
  await removeLeftovers(place);
  await mkdir(place.temporary, { recursive: true });
  if (!existsSync(place.data)) {
    log('private database server: making its data folder');
    await makeData(place, program);
  }

  const output = openSync(place.errorLog, 'a', 0o600);
  const server = spawn(program.path, [...serverArguments(place, program), ...settings], {
    // Apart from our terminal, so that Ctrl-C reaches only us and we can stop it last.
    detached: true,
    // It is there for the memory of this process; the server has many more threads.
    env: childEnvironment({ MALLOC_ARENA_MAX: undefined }),
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  server.on('error', () => {});
  server.unref();
  if (server.pid) writeFileSync(place.running, nameOf(server.pid) ?? '', { mode: 0o600 });
  log(`private database server: ${program.path} started, process ${server.pid}`);
  return server;
}

export function lastErrorLines(place: Place): string {
  return readFileSync(place.errorLog, 'utf8').trimEnd().split('\n').slice(-10).join('\n');
}

interface Program {
  path: string;
  mariadb: boolean;
}

const run = promisify(execFile);

async function findProgram(): Promise<Program> {
  // Without a folder the name is looked up in PATH, which often lacks the ones for servers.
  for (const name of ['mariadbd', 'mysqld']) {
    for (const folder of ['', '/usr/sbin/', '/usr/local/sbin/', '/usr/libexec/']) {
      const path = folder + name;
      const version = await run(path, ['--no-defaults', '--version']).catch(() => undefined);
      if (version) return { path, mariadb: /mariadb/i.test(version.stdout) };
    }
  }
  throw notInstalled();
}

const notInstalled = () =>
  new PrivateServerError(
    'No database server found: apt-get install mariadb-server-core, or set DATABASE_URL to one that runs.',
  );

/** Nobody lives here now: away with what a killed server, or a killed making of the data folder, has left. */
async function removeLeftovers(place: Place): Promise<void> {
  // MySQL refuses to start where the number in its lock file is any living process.
  for (const end of ['', '.lock']) await rm(place.socketPath + end, { force: true });
  for (const name of await readdir(place.directory)) {
    if (!/^(data|starting)-/.test(name)) continue;
    // Its maker may have outlived us and write for another moment; then the next start removes it.
    await rm(join(place.directory, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

/** Made under another name and renamed when whole, so that there is either a whole data folder or none. */
async function makeData(place: Place, program: Program): Promise<void> {
  const part = await mkdtemp(`${place.data}-`);
  const [path, ...options] = program.mariadb
    ? ['mariadb-install-db', '--auth-root-authentication-method=normal', '--skip-test-db', '--force']
    : [program.path, '--initialize-insecure', '--secure-file-priv=NULL'];
  try {
    // Relative, because mariadb-install-db breaks this path where it has a space.
    const temporary = `--tmpdir=${relative(part, place.temporary)}`;
    await run(path, ['--no-defaults', ...options, ...asRoot(), `--datadir=${part}`, temporary], {
      cwd: part,
      timeout: 300_000,
    });
  } catch (error) {
    await rm(part, { recursive: true, force: true, maxRetries: 3 });
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notInstalled();
    const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
    throw new PrivateServerError(`The database's data folder can't be made: ${message}\n${stdout}${stderr}`);
  }
  await rename(part, place.data);
}

function serverArguments(place: Place, program: Program): string[] {
  return [
    '--no-defaults',
    ...asRoot(),
    `--datadir=${place.data}`,
    // A server that starts removes the temporary tables it finds: in /tmp also those of another one that runs.
    `--tmpdir=${place.temporary}`,
    '--skip-networking',
    `--socket=${place.socketPath}`,
    `--pid-file=${join(place.directory, 'mysql.pid')}`,
    `--log-error=${place.errorLog}`,
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_bin',
    '--max-connections=200',
    '--max-allowed-packet=64M',
    // A presence says nothing for as long as its process lives.
    '--wait-timeout=31536000',
    `--innodb-buffer-pool-size=${bufferPool()}M`,
    '--innodb-flush-log-at-trx-commit=1',
    '--performance-schema=OFF',
    ...(program.mariadb ? [] : ['--mysqlx=OFF', '--skip-log-bin', '--secure-file-priv=NULL']),
  ];
}

// The server asks for this word; in its short form, because mariadb-install-db takes the long one as an order
// to change the owner of files in /usr.
const asRoot = () => (process.getuid?.() === 0 ? ['-uroot'] : []);

/** A quarter of the memory that this machine, or this container, has. */
function bufferPool(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(2048, Math.max(128, Math.floor(memory / 4 / MEBIBYTE)));
}
