// Runs a private MariaDB or MySQL server if DATABASE_URL is not set. Any number of processes share the server: the
// first process starts it, the last one stops it. Each process keeps one connection open as its "presence". The server
// closes the presence of a killed process, so the count of processes is always right.
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { isRunning } from '../process-name.ts';
import {
  acquireStartLock,
  PrivateServerError,
  prepareFolder,
  runningServer,
  type ServerFolder,
} from './private-server-folder.ts';
import { startFailure, startServer, type Wanted } from './private-server-start.ts';
import type { ConnectionSettings } from './settings.ts';

const DATABASE = 'forecourt';
const PATIENCE = 60_000;
/** For a server that this process has started: after a crash it may recover for minutes before it answers. */
const RECOVERY = 600_000;
const POLL = 20;
const PAUSE = 1_000;

export interface PrivateServer {
  readonly connection: ConnectionSettings & { readonly socketPath: string };
  /**
   * The last process to leave stops the server and waits for its end. Close every other connection of this process
   * first: an open connection counts as a process that is still using the server.
   */
  leave(): Promise<void>;
}

interface PrivateServerOptions extends Partial<Wanted> {
  /** Absolute path. A missing folder is made, and only this user can read it. */
  directory: string;
  /** Gets the loss of a server, and why it can't be joined again. Default: `log` gets them. */
  warn?: (line: string) => void;
}

/** Joins the server of the directory, and starts the server first if needed. Joins again if the server dies. */
export async function joinPrivateServer(options: PrivateServerOptions): Promise<PrivateServer> {
  const { directory, log = () => {}, warn = log, settings = [], kind } = options;
  const folder = await prepareFolder(directory);
  const wanted: Wanted = { settings, kind, log };
  let presence = await join(folder, wanted);
  let rejoining: Promise<void> | undefined;
  let leaving: Promise<void> | undefined;

  const rejoinOnError = () =>
    presence.once('error', () => {
      rejoining = rejoin();
    });
  const rejoin = async () => {
    while (!leaving) {
      warn('private database server: lost, joining it again');
      try {
        presence = await join(folder, wanted);
        rejoinOnError();
        return;
      } catch (error) {
        warn((error as Error).message);
        await sleep(PAUSE);
      }
    }
  };
  rejoinOnError();
  return {
    connection: { ...accountOf(folder), database: DATABASE },
    leave: () => {
      leaving ??= Promise.resolve(rejoining).then(() => leave(folder, presence, log));
      return leaving;
    },
  };
}

type Log = (line: string) => void;

async function join(folder: ServerFolder, wanted: Wanted): Promise<Connection> {
  let deadline = performance.now() + PATIENCE;
  for (;;) {
    const presence = await tryToJoin(folder);
    if (!(presence instanceof Error)) return presence;
    if (runningServer(folder)) {
      // The server is starting or stopping: soon it either answers or is gone.
      if (performance.now() > deadline) throw notAnswering(folder, presence);
    } else {
      const started = await startWithLock(folder, wanted);
      if (started) return started;
      deadline = performance.now() + PATIENCE;
    }
    await sleep(POLL);
  }
}

/** Undefined if another process has the start lock or has just started the server. */
async function startWithLock(folder: ServerFolder, wanted: Wanted): Promise<Connection | undefined> {
  const release = acquireStartLock(folder);
  try {
    return release && !runningServer(folder) ? await start(folder, wanted) : undefined;
  } finally {
    release?.();
  }
}

/** Undefined if another process joined meanwhile, was the last to leave, and has stopped the server again. */
async function start(folder: ServerFolder, wanted: Wanted): Promise<Connection | undefined> {
  const server = await startServer(folder, wanted);
  const deadline = performance.now() + RECOVERY;
  for (;;) {
    const presence = await tryToJoin(folder);
    if (!(presence instanceof Error)) return presence;
    if (server.exitCode === 0) return undefined;
    if (server.exitCode !== null || server.signalCode !== null) {
      throw startFailure(folder);
    }
    if (performance.now() > deadline) throw notAnswering(folder, presence);
    await sleep(POLL);
  }
}

/** Opens the presence. Returns an error if the server is not there or goes away. */
async function tryToJoin(folder: ServerFolder): Promise<Connection | Error> {
  let presence: Connection | undefined;
  try {
    presence = await connect(folder);
    await presence.query(
      `CREATE DATABASE IF NOT EXISTS ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
    );
    // A leaving process that counted nobody stops the server. The lock keeps joins out of the count.
    if (!(await takeLeaveLock(presence))) throw new Error('another process takes too long to leave');
    await presence.query("SELECT GET_LOCK(CONCAT('forecourt:present:', CONNECTION_ID()), 0)");
    await presence.query("SELECT RELEASE_LOCK('forecourt:leave')");
    return presence;
  } catch (error) {
    presence?.destroy();
    return error as Error;
  }
}

async function leave(folder: ServerFolder, presence: Connection, log: Log): Promise<void> {
  const exit = await connect(folder).catch(() => undefined);
  const server = runningServer(folder);
  let stopping = false;
  try {
    if (exit && (await takeLeaveLock(exit))) {
      await presence.end();
      stopping = await isLast(exit, presence.threadId);
      if (stopping) await exit.query('SHUTDOWN');
    }
  } catch (error) {
    log(`private database server: lost while leaving it (${(error as Error).message})`);
  }
  if (stopping) {
    // This connection holds the leave lock and stays open: nobody can join until the server closes it.
    const deadline = performance.now() + PATIENCE;
    while (server && isRunning(server) && performance.now() < deadline) await sleep(POLL);
    log(`private database server: ${server && isRunning(server) ? 'still stopping' : 'stopped'}`);
  }
  presence.destroy();
  await exit?.end();
}

/**
 * Whether nobody else is connected. Connections that were just closed are still listed, so they get a second to
 * disappear. The presence of another process rarely disappears and gets only 50 ms. While our own presence is listed,
 * the full second applies: the next process to leave must not count our presence.
 */
async function isLast(exit: Connection, presence: number): Promise<boolean> {
  const began = performance.now();
  for (;;) {
    const [others] = await exit.query<RowDataPacket[]>(
      `SELECT id AS id, IS_USED_LOCK(CONCAT('forecourt:present:', id)) AS present FROM information_schema.processlist
       WHERE id <> CONNECTION_ID() AND user NOT IN ('system user', 'event_scheduler') AND command <> 'Daemon'`,
    );
    if (others.length === 0) return true;
    const isShort =
      others.some((other) => other.present !== null) && others.every((other) => other.id !== presence);
    if (performance.now() - began > (isShort ? 50 : 1000)) return false;
    await sleep(POLL);
  }
}

async function takeLeaveLock(connection: Connection): Promise<boolean> {
  const [rows] = await connection.query<RowDataPacket[]>("SELECT GET_LOCK('forecourt:leave', 30) AS taken");
  return rows[0]?.taken === 1;
}

async function connect(folder: ServerFolder): Promise<Connection> {
  const connection = await createConnection(accountOf(folder));
  // A dying server breaks its idle connections. Without a listener the error would end this process.
  connection.on('error', () => {});
  return connection;
}

const accountOf = (folder: ServerFolder) => ({ socketPath: folder.socketPath, user: 'root' });

function notAnswering({ directory, socketPath, errorLog }: ServerFolder, { message }: Error): Error {
  const place = dirname(socketPath);
  const advice =
    place === directory
      ? ''
      : `. The socket is in ${place}, which another systemd unit does not see: choose a STORAGE_DIR of at most 80 bytes`;
  return new PrivateServerError(
    `The private database server runs but does not answer (${message}); see ${errorLog}${advice}`,
  );
}
