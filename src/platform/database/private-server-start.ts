// Starts the private database server as a process of its own, and makes its data folder the first time. All arguments
// work with MariaDB and MySQL, except the ones behind `program.kind`.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment, type ServerKind } from '../config.ts';
import { processName } from '../process-name.ts';
import { PrivateServerError, type ServerFolder } from './private-server-folder.ts';
import { findProgram, notInstalled, type Program } from './private-server-program.ts';

const MEBIBYTE = 2 ** 20;

/** The caller's wishes for the server. */
export interface Wanted {
  /** More arguments, after the usual ones. */
  readonly settings: readonly string[];
  /** The server that must run here. Undefined: the one that made the data folder, otherwise one that is installed. */
  readonly kind: ServerKind | undefined;
  readonly log: (line: string) => void;
}

/** Starts the server, and makes its data folder first if there is none. The caller holds the start lock. */
export async function startServer(
  folder: ServerFolder,
  { settings, kind, log }: Wanted,
): Promise<ChildProcess> {
  const program = await findProgram(folder.data, kind);
  await removeLeftovers(folder);
  await mkdir(folder.temporary, { recursive: true });
  if (!existsSync(folder.data)) {
    log('private database server: making the data folder');
    await makeData(folder, program);
  }

  const output = openSync(folder.errorLog, 'a', 0o600);
  const server = spawn(program.path, [...serverArguments(folder, program), ...settings], {
    // A Ctrl-C in the terminal must not reach the server: this process stops the server last.
    detached: true,
    // These are chosen for this process. The server has many more threads.
    env: childEnvironment({ MALLOC_ARENA_MAX: undefined, MALLOC_MMAP_THRESHOLD_: undefined }),
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  server.on('error', () => {});
  server.unref();
  if (server.pid) writeFileSync(folder.running, processName(server.pid) ?? '', { mode: 0o600 });
  log(`private database server: ${program.path} started, process ${server.pid}`);
  return server;
}

/** The words of both servers and of their tools for a full disk. */
const DISK_FULL =
  /no space left|out of disk space|disk (?:is )?full|\b(?:error|errno|errcode)(?: number)?:? 28\b/i;

/** Why the server ended during its start. */
export function startFailure(folder: ServerFolder): PrivateServerError {
  const lines = readFileSync(folder.errorLog, 'utf8').trimEnd().split('\n').slice(-10).join('\n');
  const what = 'The private database server does not start';
  return DISK_FULL.test(lines) ? diskFull(folder, what) : new PrivateServerError(`${what}:\n${lines}`);
}

const diskFull = ({ directory }: ServerFolder, what: string) =>
  new PrivateServerError(`${what}: the disk of ${directory} is full`);

const run = promisify(execFile);

/** Removes leftovers of a killed server and of a killed `makeData`. No server runs in the folder now. */
async function removeLeftovers(folder: ServerFolder): Promise<void> {
  // MySQL refuses to start if its lock file has the number of any running process.
  for (const end of ['', '.lock']) await rm(folder.socketPath + end, { force: true });
  for (const name of await readdir(folder.directory)) {
    if (!/^(data|starting)-/.test(name)) continue;
    // The process that makes the part may still write for a moment. Then the next start removes the part.
    await rm(join(folder.directory, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

/** Makes the data folder under another name and renames it at the end: a data folder is always complete. */
async function makeData(folder: ServerFolder, program: Program): Promise<void> {
  const part = await mkdtemp(`${folder.data}-`);
  const [path, ...options] =
    program.kind === 'mariadb'
      ? ['mariadb-install-db', '--auth-root-authentication-method=normal', '--skip-test-db', '--force']
      : [program.path, '--initialize-insecure', '--secure-file-priv=NULL'];
  try {
    // A relative path, because mariadb-install-db breaks a path with spaces.
    const temporary = `--tmpdir=${relative(part, folder.temporary)}`;
    await run(path, ['--no-defaults', ...options, ...asRoot(), `--datadir=${part}`, temporary], {
      cwd: part,
      timeout: 300_000,
    });
  } catch (error) {
    await rm(part, { recursive: true, force: true, maxRetries: 3 });
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notInstalled(program.kind);
    const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
    const what = "Can't make the data folder of the database";
    if (DISK_FULL.test(stdout + stderr)) throw diskFull(folder, what);
    throw new PrivateServerError(`${what}: ${message}\n${stdout}${stderr}`);
  }
  await rename(part, folder.data);
}

function serverArguments(folder: ServerFolder, program: Program): string[] {
  return [
    '--no-defaults',
    ...asRoot(),
    `--datadir=${folder.data}`,
    // A starting server removes all temporary tables that it finds, in /tmp also the tables of other servers.
    `--tmpdir=${folder.temporary}`,
    '--skip-networking',
    `--socket=${folder.socketPath}`,
    `--pid-file=${join(folder.directory, 'mysql.pid')}`,
    `--log-error=${folder.errorLog}`,
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_bin',
    '--max-connections=400',
    '--max-allowed-packet=64M',
    // A presence is idle for as long as its process runs.
    '--wait-timeout=31536000',
    `--innodb-buffer-pool-size=${bufferPool()}M`,
    '--innodb-flush-log-at-trx-commit=1',
    '--performance-schema=OFF',
    ...(program.kind === 'mariadb' ? [] : ['--mysqlx=OFF', '--skip-log-bin', '--secure-file-priv=NULL']),
  ];
}

// The server demands this option if root starts it. mariadb-install-db takes the long form `--user=root` as an order
// to change the owner of files in /usr.
const asRoot = () => (process.getuid?.() === 0 ? ['-uroot'] : []);

/** In MiB: a quarter of the memory of this machine or container, 128 to 2048. */
function bufferPool(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(2048, Math.max(128, Math.floor(memory / 4 / MEBIBYTE)));
}
