// Plays stories of garages on one service whose clock the test moves: all garages live through the same months side by
// side. After each month the arithmetic looks at each garage.
import { join } from 'node:path';
import { createEmployee, createOwner } from '../../src/cli/new-garage.ts';
import { dayOf } from '../support/build/day.ts';
import { type Json, send } from '../support/client/client.ts';
import { type ClockedService, openClockedService } from '../support/process/clocked-service.ts';
import { PASSWORD } from '../support/service/service.ts';
import { open } from './actions/opening.ts';
import { readBooks } from './arithmetic/books.ts';
import { returnFaults } from './arithmetic/boxes.ts';
import { carFaults } from './arithmetic/cars.ts';
import { cashFaults } from './arithmetic/cash.ts';
import { closedFaults } from './arithmetic/closed.ts';
import { quarterOf } from './arithmetic/exact.ts';
import { feedFaults } from './arithmetic/feed.ts';
import {
  creditFaults,
  depositFaults,
  marginFaults,
  openFaults,
  seriesFaults,
  settledFaults,
  totalFaults,
} from './arithmetic/invoices.ts';
import { boxFaults, FIRST_DAY, icpFaults, journalOf, ledgerFaults } from './arithmetic/ledger.ts';
import { ownerFaults } from './arithmetic/owners.ts';
import { planFaults } from './arithmetic/plan.ts';
import { Desk, Fault, type World } from './desk.ts';
import { playStep, type Story } from './story.ts';

/** So that the year of a story crosses New Year and a change of the law. */
const FIRST_MONTH = Date.parse('2025-11-05T09:00:00Z');
const AT_ONCE = 4;

export interface Told {
  readonly story: Story;
  readonly desk: Desk;
  /** Why the story fails, as sentences; empty: all is well. */
  readonly faults: readonly string[];
}

/** The caller's own work at points of a play. */
interface Course {
  /** After a garage was made, before its story begins. */
  readonly begins?: (desk: Desk) => Promise<unknown>;
  /** After a month of all garages. False: the stories end here. */
  readonly goesOn?: (month: number) => Promise<boolean>;
}

export interface Stage {
  readonly service: ClockedService;
  /** The answers of the service so far. */
  readonly answers: number;
  /** Plays stories side by side, and says what is wrong with each. */
  play(stories: readonly Story[], course?: Course): Promise<Told[]>;
  /** Kills the service and starts it again, before the next month. */
  killNext(): void;
  /** What the service should not have logged. */
  errors(): string[];
  close(): Promise<void>;
}

let garages = 0;

export async function openStage(settings: NodeJS.ProcessEnv = {}): Promise<Stage> {
  const service = await openClockedService({ LOG_LEVEL: 'info', ...settings });
  // A token of the month for each user. Requests at once wait for one login.
  const tokens = new Map<string, Promise<string>>();
  let isKilled = false;
  let answers = 0;
  const world: World = {
    archives: join(service.storage, 'archives'),
    send: async (login, method, path, sent) => {
      const { username } = login;
      const token = tokens.get(String(username)) ?? logIn(service, login);
      tokens.set(String(username), token);
      answers += 1;
      return send(method, `${service.process.url}/v2${path}`, {
        body: sent?.body,
        headers: { token: await token, ...(sent && { 'content-type': sent.type }) },
      });
    },
  };
  return {
    service,
    get answers() {
      return answers;
    },
    play: async (stories, { begins, goesOn } = {}) => {
      const scenes = await Promise.all(
        stories.map(async (story) => ({
          story,
          desk: await newDesk(service, world),
          faults: [] as string[],
        })),
      );
      const months = Math.max(...stories.map(({ months }) => months.length));
      for (let month = 0; month < months; month += 1) {
        const today = monthLater(month);
        await service.clock.set(Math.round((today - Date.now()) / 1000));
        tokens.clear();
        if (isKilled) {
          isKilled = false;
          await service.process.kill('SIGKILL');
          await service.start();
        }
        await side(scenes, async (scene) => {
          if (scene.faults.length > 0) return;
          if (month === 0) await begins?.(scene.desk);
          scene.faults.push(...(await playMonth(scene, month, dayOf(new Date(today)))));
        });
        if (goesOn && !(await goesOn(month))) break;
      }
      return scenes;
    },
    killNext: () => {
      isKilled = true;
    },
    errors: () => errorsIn(service.process.output()),
    close: () => service.close(),
  };
}

/** The lines of a log that say that something went wrong. */
const errorsIn = (log: string): string[] => log.split('\n').filter((line) => /"level":[56]0/.test(line));

async function logIn({ process }: ClockedService, login: Json): Promise<string> {
  const { status, body, text } = await send('POST', `${process.url}/v2/authenticate`, {
    body: JSON.stringify(login),
    headers: { 'content-type': 'application/json' },
  });
  if (status !== 200) throw new Error(`no token: ${text}`);
  return String(body.token);
}

async function newDesk({ database, tenant }: ClockedService, world: World): Promise<Desk> {
  garages += 1;
  const username = `year${garages}`;
  const owner = await createOwner(database, { name: username, demo: true });
  await createEmployee(database, {
    owner,
    username,
    password: PASSWORD,
    emailaddress: `${username}@garage.example`,
    role: 'ADMIN',
  });
  return new Desk(world, { ...tenant.login, username });
}

/** The fifth day of a month; months are counted from the first one. */
function monthLater(month: number): number {
  const first = new Date(FIRST_MONTH);
  return Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, first.getUTCDate(), 9);
}

/** Some at a time, in their order. */
async function side<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const left = [...things];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await work(thing);
    }),
  );
}

/** The faults of a month. */
async function playMonth(
  { story, desk }: Pick<Told, 'story' | 'desk'>,
  month: number,
  today: string,
): Promise<string[]> {
  desk.today = today;
  desk.say(today);
  try {
    if (month === 0) await open(desk, story.setting);
    for (const step of story.months[month] ?? []) await playStep(desk, step);
    return await faultsOf(desk);
  } catch (error) {
    if (error instanceof Fault) return [error.message];
    throw error;
  }
}

async function faultsOf(desk: Desk): Promise<string[]> {
  const books = await readBooks(desk);
  const boxes = await boxesOf(desk);
  const postings = await journalOf(desk, FIRST_DAY, boxes.to);
  return [
    ...seriesFaults(books),
    ...totalFaults(books),
    ...marginFaults(books),
    ...depositFaults(books),
    ...creditFaults(books),
    ...openFaults(books),
    ...settledFaults(desk, books),
    ...cashFaults(books),
    ...carFaults(books),
    ...ownerFaults(desk, books),
    ...planFaults(books),
    ...ledgerFaults(books, postings),
    ...returnFaults(books, boxes.data, boxes.from, boxes.to),
    ...boxFaults(boxes.data, postings, boxes.from, boxes.to),
    ...icpFaults(books, boxes),
    ...(await closedFaults(desk, books, postings)),
    ...(await feedFaults(desk, books)),
  ];
}

/** The VAT return of the present quarter, and its supplies to businesses in other EU countries. */
async function boxesOf(desk: Desk): Promise<{ data: Json; icp: Json[]; from: string; to: string }> {
  const [from, to] = quarterOf(desk.today);
  const [data, icp] = [
    await desk.read(`/vatreturn?from=${from}&to=${to}`),
    await desk.read(`/icp?from=${from}&to=${to}`),
  ];
  return { data, icp: [icp].flat(), from, to };
}
