// A clock that a test moves while the service and its private database run. libfaketime reads it from a file at each
// call. Timers go on: their clock (CLOCK_MONOTONIC) stays as it is, like that of a machine whose time is set.
import { execFile } from 'node:child_process';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The loader puts the folder of this machine's libraries in the place of $LIB. */
const LIBRARY = '/usr/$LIB/faketime/libfaketimeMT.so.1';
/** Each process under libfaketime has two files here. A killed process leaves them. */
const SHARED_MEMORY = '/dev/shm';
const SHARED_FILE = /^(?:sem\.)?faketime_(?:sem|shm)_(\d+)$/;

const DAY_SECONDS = 86_400;

export interface FakeClock {
  /** The environment of processes that live by this clock; the processes that they start do too. */
  readonly environment: NodeJS.ProcessEnv;
  /** Moves the clock of all these processes at once. Seconds ahead of the true time; below 0: behind. */
  set(secondsAhead: number): Promise<void>;
  /** Call it when the processes have ended. */
  close(): Promise<void>;
}

/**
 * Makes a clock that shows the true time. `folder`: exists, and holds the clock's file.
 *
 * The database must live by the clock too, so let the service or the command line start the private server:
 * `copyDatabase(join(storage, 'database'))`, then `startProcess(processEnvironment(storage, clock.environment))`.
 * `joinServer` of the test may join afterwards, and keeps the server when the service is killed.
 */
export async function openFakeClock(folder: string): Promise<FakeClock> {
  const file = join(folder, 'clock');
  const set = async (secondsAhead: number) => {
    await writeFile(`${file}.new`, `${secondsAhead < 0 ? '' : '+'}${secondsAhead}\n`);
    await rename(`${file}.new`, file);
  };
  const environment = {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // Otherwise MySQL's waits with a time limit end late or never.
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
  };
  await removeLeftovers();
  await set(-DAY_SECONDS);
  await demandMoved(environment);
  await set(0);
  return {
    environment,
    set,
    close: async () => {
      await removeLeftovers();
      await rm(file, { force: true });
    },
  };
}

/** Without the library, the loader only warns, and all processes live by the true clock. */
async function demandMoved(environment: NodeJS.ProcessEnv): Promise<void> {
  const { stdout } = await promisify(execFile)('date', ['+%s'], { env: { ...process.env, ...environment } });
  if (Date.now() / 1_000 - Number(stdout) < DAY_SECONDS / 2)
    throw new Error(`no clock can be moved: ${LIBRARY} is missing; install Debian's package faketime`);
}

/** libfaketime refuses a new process that has the number of one whose files were left. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(SHARED_MEMORY)) {
    const [, process] = SHARED_FILE.exec(name) ?? [];
    if (process && !isThere(Number(process))) await rm(join(SHARED_MEMORY, name), { force: true });
  }
}

function isThere(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
