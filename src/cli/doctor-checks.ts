// The checks of `forecourt doctor`. A failed check is a finding; the other checks still run.
import { request } from 'node:https';
import pino from 'pino';
import type { Database } from '../core/model/statements/session.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/trade/time/duration.ts';
import { lockedKeys, secretProblem } from '../platform/auth/key.ts';
import { type OpenDatabase, openDatabase } from '../platform/base.ts';
import { newestChange } from '../platform/changes/newest-change.ts';
import { addressProblem, type Config, senderProblem } from '../platform/config.ts';
import { readClock, waitingText } from '../platform/database/clock.ts';
import { isHeld } from '../platform/database/installation.ts';
import { editedMigrations, pendingMigrations } from '../platform/database/migrate.ts';
import { schemaProblems } from '../platform/database/schema-difference.ts';
import { nativeForeignKeys, reportOf, serverTime, serverVersion } from '../platform/database/server-state.ts';
import { openFolder, spaceOf } from '../platform/storage/folder.ts';
import { openStorage, type Storage, storageOf } from '../platform/storage/open.ts';
import { probe } from '../platform/storage/probe.ts';
import { findInstallationId, findSigningSecret } from '../platform/storage/secret.ts';
import { makeFolder } from '../platform/storage/whole-file.ts';
import type { Result } from './command.ts';
import { findAll, resultOf, Warning } from './doctor-finding.ts';
import {
  amountProblem,
  bookingProblem,
  danglingProblem,
  idProblem,
  logProblem,
  textProblem,
} from './doctor-records.ts';

const LEAST_FREE_BYTES = 1024 ** 3;
const MOST_CLOCK_DRIFT_MS = 5_000;
/** The clocks of several machines may differ by less. */
const MOST_BEHIND_MS = 5 * MINUTE_MS;
const TIMEOUT_MS = 5_000;
const OUTSIDE_URL = 'https://www.rdw.nl/';
const REPAIR = 'see "Upgrade, and back" in docs/operations.md';

/** Checks everything that the service needs. `offline`: without outgoing HTTPS. */
export async function examine(config: Config, { offline }: { offline: boolean }): Promise<Result> {
  const folder = await probeFolder(config).catch((error: Error) => error);
  const storage = await openStorage(config).catch((error: Error) => error);
  const isServerLost = folder instanceof Error && !config.database;
  const opened = isServerLost
    ? new Error('needs the storage, where the private server is')
    : await openAnyway(config, storage).catch((error: Error) => error);
  const withDatabase = (look: (opened: OpenDatabase) => Promise<string>) => async () => {
    if (opened instanceof Error) throw new Error('needs the database');
    return look(opened);
  };
  const onceMigrated = (look: (opened: OpenDatabase) => Promise<string>) =>
    withDatabase(async (found) => ((await isMigrated(found)) ? look(found) : 'wait for the migrations'));
  const withStorage =
    (look: (opened: OpenDatabase, storage: Storage) => Promise<string>) => async (found: OpenDatabase) => {
      if (storage instanceof Error) throw new Error('needs the storage');
      return look(found, storage);
    };
  const findings = await findAll([
    ['configuration', async () => checkConfiguration(config)],
    ['storage', async () => (folder instanceof Error ? Promise.reject(folder) : checkSpace(config))],
    ...(config.storageUrl === '' ? [] : [['object store', async () => checkBucket(need(storage))] as const]),
    ['database', async () => checkDatabase(need(opened), config)],
    ['cluster', () => checkCluster(config)],
    ['migrations', withDatabase(checkMigrations)],
    ['tables', withDatabase(checkTables)],
    ['change log', onceMigrated(checkLog)],
    ['payments', onceMigrated(checkPayments)],
    ['appointments', onceMigrated(checkAppointments)],
    ['references', onceMigrated(checkReferences)],
    ['searches', onceMigrated(checkSearches)],
    ['IDs', onceMigrated(checkIds)],
    ['signing secret', onceMigrated(withStorage((found, stores) => checkSecret(found, stores, config)))],
    ['clock', withDatabase(checkClock)],
    ['installation', onceMigrated(withStorage(checkInstallation))],
    ...(offline ? [] : [['outgoing HTTPS', checkHttps] as const]),
  ]);
  if (!(opened instanceof Error)) await opened.close();
  if (!(storage instanceof Error)) storage.close();
  return resultOf(findings);
}

/** Returns the opened thing, or throws the error of its opening. */
function need<T>(opened: T | Error): T {
  if (opened instanceof Error) throw opened;
  return opened;
}

/** The database may be well although the storage is not. */
const openAnyway = async (config: Config, storage: Storage | Error): Promise<OpenDatabase> =>
  openDatabase(
    config,
    storage instanceof Error ? await storageOf(config) : storage,
    pino({ level: 'silent' }),
  );

function checkConfiguration(config: Config): string {
  const problems = [addressProblem(config), senderProblem(config)].filter((found) => found !== undefined);
  if (problems.length > 0) throw new Warning(problems.join('; '));
  return `read; environment ${config.environment}`;
}

async function checkDatabase({ database }: OpenDatabase, config: Config): Promise<string> {
  const version = await serverVersion(database.knex);
  return `${version}${config.database ? '' : ', private'}`;
}

async function checkCluster({ database }: Config): Promise<string> {
  if (!database) return 'none: the private server is alone';
  const servers = await Promise.all(
    database.hosts.map(async (host) => ({ host, ...(await reportOf(database, host)) })),
  );
  const blind = servers.find((server) => server.blind)?.blind;
  const texts = servers.map(({ host, text }) => `${host.host}:${host.port} ${text}`);
  const text = [...texts, ...(blind ? [blind] : [])].join('; ');
  if (!servers.some(({ state }) => state === 'synced' || state === 'ready')) throw new Error(text);
  // A server that only reads is a replica, and stands by.
  if (blind || servers.some(({ state }) => state !== 'synced' && state !== 'reading'))
    throw new Warning(text);
  return servers.some(({ isNode }) => isNode) ? text : `none: ${text}`;
}

async function checkMigrations({ database }: OpenDatabase): Promise<string> {
  const pending = await pendingMigrations(database.knex);
  if (pending.length > 0) throw new Error(`${pending.length} migrations have not run: forecourt migrate`);
  const edited = await editedMigrations(database.knex);
  if (edited.length > 0) throw new Error(edited.join(' '));
  return 'all have run, and none has changed since';
}

const isMigrated = async ({ database }: OpenDatabase) =>
  (await pendingMigrations(database.knex)).length === 0;

async function checkTables(opened: OpenDatabase): Promise<string> {
  if (!(await isMigrated(opened))) throw new Error('the migrations must run first');
  const problems = await schemaProblems(opened.database.knex, { remedy: REPAIR });
  if (problems.length > 0) throw new Error(problems.join(' '));
  return 'have all columns and keys of this version';
}

/** `Refusal`: a problem with which the service still works is a Warning. */
const without =
  (
    findProblem: (database: Database) => Promise<string | undefined>,
    detail: string,
    Refusal: new (text: string) => Error = Error,
  ) =>
  async ({ database }: OpenDatabase): Promise<string> => {
    const problem = await findProblem(database);
    if (problem !== undefined) throw new Refusal(problem);
    return detail;
  };

const checkLog = without(logProblem, 'has the last change of every record', Warning);
const checkPayments = without(amountProblem, 'agree with the open amounts of all invoices');
const checkAppointments = without(bookingProblem, 'book nobody twice');
const checkSearches = without(textProblem, 'look into the texts of all records', Warning);
const checkIds = without(idProblem, 'are left for new records in every table', Warning);

async function checkReferences({ database }: OpenDatabase): Promise<string> {
  const problem = await danglingProblem(database);
  if (problem !== undefined) throw new Error(problem);
  const setting = await nativeForeignKeys(database.knex);
  if (setting !== 'OFF') return 'hold';
  return 'hold; innodb_native_foreign_keys is OFF, so the service itself checks references within one resource';
}

/** Only reads: a secret that doctor made would be in the way of the one that `forecourt storage copy` brings. */
async function checkSecret({ database }: OpenDatabase, storage: Storage, config: Config): Promise<string> {
  const secret = await findSigningSecret(storage, config.signingSecret);
  if (secret === undefined) return failWithoutSecret(await lockedKeys(database, ''));
  const problem = await secretProblem(database, secret);
  if (problem !== undefined) throw new Error(problem);
  return 'opens the webhook secrets of all keys';
}

/** `keys`: all of them, since none was made without a secret. */
function failWithoutSecret(keys: readonly number[]): never {
  const next = 'the next start makes a new one';
  if (keys.length === 0) throw new Warning(`is missing: ${next}`);
  throw new Error(`is missing, and the keys ${keys.join(', ')} need it: put it back, because ${next}`);
}

async function checkInstallation({ database }: OpenDatabase, storage: Storage): Promise<string> {
  const id = await findInstallationId(storage);
  if (id === undefined)
    throw new Warning(
      'the storage has no installation-id: the next start makes one, and callbacks, events and mail are held if the database has another one',
    );
  if (await isHeld(database, id))
    throw new Warning('callbacks, events and mail of this copy are held: forecourt release');
  return 'the database belongs to this storage';
}

/** STORAGE_DIR. A bucket has a check of its own. */
async function probeFolder({ storageDir }: Config): Promise<void> {
  try {
    await makeFolder(storageDir);
    // Of what files leave free, too: checkSpace says that the disk is nearly full, and the service runs.
    await probe(openFolder(storageDir, 0));
  } catch (error) {
    throw new Error(`STORAGE_DIR ${storageDir} can't be used: ${(error as Error).message}`);
  }
}

async function checkSpace({ storageDir }: Config): Promise<string> {
  const { free } = await spaceOf(storageDir);
  const shown = `${(free / 1024 ** 3).toFixed(1)} GiB free in ${storageDir}`;
  if (free < LEAST_FREE_BYTES) throw new Error(`only ${shown}`);
  return shown;
}

async function checkBucket({ archives, documents, settings }: Storage): Promise<string> {
  for (const store of [archives, documents]) await probe(store);
  return `writes, reads, lists and deletes in ${settings.storageUrl}`;
}

async function checkClock(opened: OpenDatabase): Promise<string> {
  const { database } = opened;
  const before = Date.now();
  const server = await serverTime(database.knex);
  const drift = Math.abs(server.getTime() - (before + Date.now()) / 2);
  const wrong = drift > MOST_CLOCK_DRIFT_MS;
  const doubts = (await isMigrated(opened)) ? await clockDoubts(database) : [];
  if (wrong)
    throw new Error([`differs by ${Math.round(drift / 1000)} s from the database's`, ...doubts].join('; '));
  if (doubts.length > 0) throw new Warning(doubts.join('; '));
  return "agrees with the database's";
}

/** Why the clock of the database may be wrong, and what the service does about it. */
async function clockDoubts(database: Database): Promise<string[]> {
  const state = await readClock(database);
  const { now, lastSign } = state;
  const newest = await newestChange(database);
  const behind = newest ? newest.getTime() - now.getTime() : 0;
  const ahead = lastSign ? now.getTime() - lastSign.getTime() : 0;
  return [
    ...(behind > MOST_BEHIND_MS ? [`is ${length(behind)} behind the newest change (${text(newest)})`] : []),
    ...(ahead > DAY_MS ? [`is ${length(ahead)} ahead of the last sign of life (${text(lastSign)})`] : []),
    ...(state.waitMs > 0 ? [waitingText(state)] : []),
  ];
}

const text = (instant: Date | undefined) => instant?.toISOString();

/** `2.5 hours`, or `12 days`. */
const length = (ms: number) =>
  ms < 2 * DAY_MS ? `${(ms / HOUR_MS).toFixed(1)} hours` : `${Math.floor(ms / DAY_MS)} days`;

function checkHttps(): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = request(OUTSIDE_URL, { method: 'HEAD', timeout: TIMEOUT_MS }, (answer) => {
      answer.resume();
      resolve(`works (${OUTSIDE_URL} answered ${answer.statusCode})`);
    });
    sending.on('timeout', () => sending.destroy(new Error('no answer')));
    sending.on('error', (error) =>
      reject(new Warning(`${OUTSIDE_URL} can't be reached (${error.message}): callbacks will not arrive`)),
    );
    sending.end();
  });
}
