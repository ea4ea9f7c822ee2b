// The folder of the private database server: its paths, the lock for starting the server, and whether the server runs.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { chmod, lstat, mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, processName } from '../process-name.ts';

// The system allows 107 bytes, and MySQL puts a lock file with a longer name beside the socket.
const LONGEST_SOCKET_PATH = 100;

export class PrivateServerError extends Error {}

export interface ServerFolder {
  directory: string;
  data: string;
  temporary: string;
  socketPath: string;
  errorLog: string;
  /** File with the name of the server's process. */
  running: string;
  /** The lock: a link whose text is the name of the process that starts the server. */
  starting: string;
}

/** Makes the folder. Only its mode protects the database: root has no password, but must reach the socket. */
export async function prepareFolder(path: string): Promise<ServerFolder> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o700);
  const directory = await realpath(path);
  return {
    directory,
    data: join(directory, 'data'),
    temporary: join(directory, 'tmp'),
    socketPath: join(await socketFolder(directory), 'mysql.sock'),
    errorLog: join(directory, 'error.log'),
    running: join(directory, 'running'),
    starting: join(directory, 'starting'),
  };
}

async function socketFolder(directory: string): Promise<string> {
  if (Buffer.byteLength(join(directory, 'mysql.sock')) <= LONGEST_SOCKET_PATH) return directory;
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `forecourt-${hash}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(folder);
  // Every user can write to the folder of temporary files, so another user may have made this folder as a trap.
  if (uid !== process.getuid?.() || (mode & 0o777) !== 0o700) {
    throw new PrivateServerError(`${folder} must be a folder that belongs to this user alone`);
  }
  return folder;
}

/** Takes the lock for starting the server. Returns its release, or undefined if another process has the lock. */
export function acquireStartLock(folder: ServerFolder): (() => void) | undefined {
  const aside = `${folder.starting}-${randomUUID()}`;
  try {
    // A symbolic link appears together with its text. Another process could see a file while it is still empty.
    symlinkSync(processName(process.pid) ?? '', folder.starting);
    return () => rmSync(folder.starting, { force: true });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  try {
    const holder = readlinkSync(folder.starting);
    if (isRunning(holder)) return undefined;
    // Rename before removing: another process may have replaced the dead holder's lock with its own.
    renameSync(folder.starting, aside);
    if (readlinkSync(aside) === holder) rmSync(aside);
    else renameSync(aside, folder.starting);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return undefined;
}

/** The name of the server's process while it runs, even if the server does not answer yet or any more. */
export function runningServer(folder: ServerFolder): string | undefined {
  if (!existsSync(folder.running)) return undefined;
  const name = readFileSync(folder.running, 'utf8');
  return isRunning(name) ? name : undefined;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
