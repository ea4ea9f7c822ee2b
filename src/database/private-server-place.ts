// Where the private database server lives, who may start it and whether it runs.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { chmod, lstat, mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lives, nameOf } from '../process-name.ts';

// The system takes 107 bytes; MySQL puts a lock file of a longer name beside the socket.
const LONGEST_SOCKET_PATH = 100;

export class PrivateServerError extends Error {}

export interface Place {
  directory: string;
  data: string;
  temporary: string;
  socketPath: string;
  errorLog: string;
  /** Names the server's process. */
  running: string;
  /** Names the process that may start the server now. */
  starting: string;
}

/** Makes the folder. Its mode is the protection: root of the database has no password, but needs the socket. */
export async function preparePlace(path: string): Promise<Place> {
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
  // Everybody may write there: a folder that another laid out first is a trap.
  if (uid !== process.getuid?.() || (mode & 0o777) !== 0o700) {
    throw new PrivateServerError(`${folder} must be a folder that belongs to this user alone`);
  }
  return folder;
}

/** The right to start the server: a function that gives it back, or undefined while another process has it. */
export function takeTurn(place: Place): (() => void) | undefined {
  const aside = `${place.starting}-${randomUUID()}`;
  try {
    // A symbolic link is made together with its text; a file would be seen empty before it is written.
    symlinkSync(nameOf(process.pid) ?? '', place.starting);
    return () => rmSync(place.starting, { force: true });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  try {
    const holder = readlinkSync(place.starting);
    if (lives(holder)) return undefined;
    // Moved away before it is removed: if another was faster, this is its turn and not the dead one's.
    renameSync(place.starting, aside);
    if (readlinkSync(aside) === holder) rmSync(aside);
    else renameSync(aside, place.starting);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return undefined;
}

/** The name of the server's process while it lives: also before it answers, and after it has stopped to. */
export function runningServer(place: Place): string | undefined {
  if (!existsSync(place.running)) return undefined;
  const name = readFileSync(place.running, 'utf8');
  return lives(name) ? name : undefined;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
