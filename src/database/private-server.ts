// The private MariaDB or MySQL server that is used where DATABASE_URL is not set. Any number of processes
// share it: the first starts it, the last stops it. Each keeps one connection open as its presence, so that
// the server itself knows who is there and a kill -9 of any of them leaves no count that is wrong.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { lives } from '../process-name.ts';
import {
  type Place,
  PrivateServerError,
  preparePlace,
  runningServer,
  takeTurn,
} from './private-server-place.ts';
import { lastErrorLines, startServer } from './private-server-start.ts';

export { PrivateServerError };

const DATABASE = 'forecourt';
const PATIENCE = 60_000;
const POLL = 20;
const PAUSE = 1_000;

export interface PrivateServer {
  /** What mysql2's createPool and createConnection take. */
  connection: { socketPath: string; user: string; password?: string; database: string };
  /**
   * The last process that leaves stops the server and waits until it is gone; others leave it running.
   * Close every other connection of this process first: an open one counts as somebody who is still there.
   */
  leave(): Promise<void>;
}

export interface PrivateServerOptions {
  /** Absolute; made, readable by nobody else, where it is missing. */
  directory: string;
  log?: (line: string) => void;
  /** More arguments of the server, after the ones chosen here. */
  settings?: string[];
}

/** Joins the server of this directory, started if nobody has it running; until it is left, also where it dies. */
export async function joinPrivateServer(options: PrivateServerOptions): Promise<PrivateServer> {
  const { directory, log = () => {}, settings = [] } = options;
  const place = await preparePlace(directory);
  let presence = await arrive(place, settings, log);
  let returning: Promise<void> | undefined;
  let leaving: Promise<void> | undefined;

  const stay = () =>
    presence.once('error', () => {
      returning = comeBack();
    });
  const comeBack = async () => {
    while (!leaving) {
      log('private database server: lost, joining it again');
      try {
        presence = await arrive(place, settings, log);
        stay();
        return;
      } catch (error) {
        log((error as Error).message);
        await sleep(PAUSE);
      }
    }
  };
  stay();
  return {
    connection: { ...account(place), database: DATABASE },
    leave: () => {
      leaving ??= Promise.resolve(returning).then(() => leave(place, presence, log));
      return leaving;
    },
  };
}

type Log = (line: string) => void;

async function arrive(place: Place, settings: string[], log: Log): Promise<Connection> {
  let deadline = Date.now() + PATIENCE;
  for (;;) {
    const presence = await enter(place);
    if (!(presence instanceof Error)) return presence;
    if (runningServer(place)) {
      // It starts or it stops: one comes to an answer, the other to an end.
      if (Date.now() > deadline) throw silence(place, presence);
    } else {
      const started = await startInTurn(place, settings, log);
      if (started) return started;
      deadline = Date.now() + PATIENCE;
    }
    await sleep(POLL);
  }
}

/** Undefined: it is another process's turn, or was until now. */
async function startInTurn(place: Place, settings: string[], log: Log): Promise<Connection | undefined> {
  const giveBack = takeTurn(place);
  try {
    return giveBack && !runningServer(place) ? await start(place, settings, log) : undefined;
  } finally {
    giveBack?.();
  }
}

/** Undefined: another process joined meanwhile and, being the last to leave, has stopped the server again. */
async function start(place: Place, settings: string[], log: Log): Promise<Connection | undefined> {
  const server = await startServer(place, settings, log);
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const presence = await enter(place);
    if (!(presence instanceof Error)) return presence;
    if (server.exitCode === 0) return undefined;
    if (server.exitCode !== null || server.signalCode !== null) {
      throw new PrivateServerError(`The private database server does not start:\n${lastErrorLines(place)}`);
    }
    if (Date.now() > deadline) throw silence(place, presence);
    await sleep(POLL);
  }
}

/** Opens the presence; an error where the server is not there, or goes away under our hands. */
async function enter(place: Place): Promise<Connection | Error> {
  let presence: Connection | undefined;
  try {
    presence = await connect(place);
    await presence.query(
      `CREATE DATABASE IF NOT EXISTS ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
    );
    // Whoever has just counted and found nobody stops the server: to be counted, come after the count.
    if (!(await takeLeaveLock(presence))) throw new Error('another process takes too long to leave');
    await presence.query("SELECT GET_LOCK(CONCAT('forecourt:present:', CONNECTION_ID()), 0)");
    await presence.query("SELECT RELEASE_LOCK('forecourt:leave')");
    return presence;
  } catch (error) {
    presence?.destroy();
    return error as Error;
  }
}

async function leave(place: Place, presence: Connection, log: Log): Promise<void> {
  const exit = await connect(place).catch(() => undefined);
  const server = runningServer(place);
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
    // Our end of the lock's connection stays open: the server closes it, with all others, when none can join.
    const deadline = Date.now() + PATIENCE;
    while (server && lives(server) && Date.now() < deadline) await sleep(POLL);
    log(`private database server: ${server && lives(server) ? 'still stopping' : 'stopped'}`);
  }
  presence.destroy();
  await exit?.end();
}

/**
 * Nobody else is connected. Connections that were closed a moment ago still show in the list: they get a second
 * to go. That of a process which says it is present most often stays, so it gets much less, but never while our
 * own presence still shows: the next that leaves must not take it for somebody.
 */
async function isLast(exit: Connection, presence: number): Promise<boolean> {
  const began = Date.now();
  for (;;) {
    const [others] = await exit.query<RowDataPacket[]>(
      `SELECT id AS id, IS_USED_LOCK(CONCAT('forecourt:present:', id)) AS present FROM information_schema.processlist
       WHERE id <> CONNECTION_ID() AND user NOT IN ('system user', 'event_scheduler') AND command <> 'Daemon'`,
    );
    if (others.length === 0) return true;
    const hurry =
      others.some((other) => other.present !== null) && others.every((other) => other.id !== presence);
    if (Date.now() - began > (hurry ? 50 : 1000)) return false;
    await sleep(POLL);
  }
}

async function takeLeaveLock(connection: Connection): Promise<boolean> {
  const [rows] = await connection.query<RowDataPacket[]>("SELECT GET_LOCK('forecourt:leave', 30) AS taken");
  return rows[0]?.taken === 1;
}

async function connect(place: Place): Promise<Connection> {
  const connection = await createConnection(account(place));
  // A server that dies takes its idle connections along; unheard, that error would end this process.
  connection.on('error', () => {});
  return connection;
}

const account = (place: Place) => ({ socketPath: place.socketPath, user: 'root' });

const silence = (place: Place, error: Error) =>
  new PrivateServerError(
    `The private database server runs but does not answer (${error.message}); see ${place.errorLog}`,
  );
