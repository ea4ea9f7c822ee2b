// Garages live through random years for an hour, one month after the other, on one service. The arithmetic holds after
// each month, each change of each garage comes as one event, and the memory of the service stays flat.
import { join } from 'node:path';
import { serverPid } from '../../test/support/database/database-server.ts';
import { select } from '../../test/support/database/sql.ts';
import { openReceiver, type Receiver } from '../../test/support/process/https-receiver.ts';
import type { Desk } from '../../test/year/desk.ts';
import { endFaults } from '../../test/year/ending.ts';
import { openStage, type Stage } from '../../test/year/play.ts';
import { stories, storyOf } from '../../test/year/story.ts';
import type { Report } from './report.ts';
import { judgeMemory, timeLeft, untilSent, watch } from './soak.ts';

/** More than an hour takes. */
const MONTHS = 240;
const STEPS = 8;
/** Garages whose backup is restored at the end. */
const RESTORED = 3;

interface YearsOptions {
  readonly minutes: number;
  readonly garages: number;
}

export async function soakYears(report: Report, { minutes, garages }: YearsOptions): Promise<void> {
  const stage = await openStage();
  const receiver = await openReceiver();
  try {
    const { service } = stage;
    const database = serverPid(join(service.storage, 'database'));
    const events = new Events(stage, receiver, report);
    const left = timeLeft(minutes);
    const watched = () => ({ service: service.process.child.pid ?? 0, database, answers: stage.answers });
    const arbitrary = stories(MONTHS, STEPS);
    const tales = Array.from({ length: garages }, (_, seed) => storyOf(arbitrary, seed + 1));
    let months = 0;
    const [samples, told] = await Promise.all([
      watch(watched, left),
      stage.play(tales, {
        begins: (desk) => events.subscribe(desk),
        goesOn: async (month) => {
          months = month + 1;
          await events.check();
          report.say(`  month ${months}: ${stage.answers} answers, ${events.count} events`);
          return left() > 0;
        },
      }),
    ]);
    report.say(
      `${minutes} minutes, ${garages} garages, ${months} months, ${stage.answers} answers, ${events.count} events`,
    );
    judgeMemory(report, samples);
    told.forEach(({ faults }, seed) => {
      report.demand(faults.length === 0, `garage ${seed + 1}: ${faults.slice(0, 3).join(' | ')}`);
    });
    const desks = told.slice(0, RESTORED).map(({ desk }) => desk);
    for (const fault of await endFaults(service, desks)) report.demand(false, fault);
    const errors = stage.errors();
    report.demand(errors.length === 0, `the log has ${errors.length} errors: ${errors[0]}`);
  } finally {
    await stage.close();
    await receiver.close();
  }
}

/** The events of all garages: each change comes once, from the subscription of its garage on. */
class Events {
  count = 0;
  private readonly stage: Stage;
  private readonly receiver: Receiver;
  private readonly report: Report;
  /** The garages, each with the last change that has been looked at. */
  private readonly seen = new Map<number, number>();

  constructor(stage: Stage, receiver: Receiver, report: Report) {
    this.stage = stage;
    this.receiver = receiver;
    this.report = report;
  }

  async subscribe(desk: Desk): Promise<void> {
    const [garage] = await desk.list('/owner');
    const owner = Number(garage?.id);
    await desk.found('/webhooksubscription', { url: this.receiver.url(`/${owner}`) });
    this.seen.set(owner, 0);
  }

  /** Waits for the events of the month, and compares them with the changes. */
  async check(): Promise<void> {
    await untilSent(this.stage.service.database);
    const received = this.receiver.take().map(({ url, body }) => nameOf(url, JSON.parse(body).data.seq));
    const came = new Set(received);
    const due = new Set<string>();
    for (const [owner, seen] of this.seen)
      for (const seq of await this.changes(owner, seen)) {
        due.add(nameOf(`/${owner}`, seq));
        this.seen.set(owner, seq);
      }
    this.count += received.length;
    const lost = [...due].filter((event) => !came.has(event));
    const odd = [...came].filter((event) => !due.has(event));
    this.report.demand(lost.length === 0, `no event came of ${lost.length} changes: ${lost.slice(0, 5)}`);
    this.report.demand(came.size === received.length, `${received.length - came.size} events came twice`);
    this.report.demand(odd.length === 0, `events of no change: ${odd.slice(0, 5)}`);
  }

  /** The changes of a garage behind the one seen, and not before its subscription. */
  private async changes(owner: number, seen: number): Promise<number[]> {
    const { database } = this.stage.service;
    const rows = await select(
      database,
      `SELECT seq FROM changes WHERE owner_id = ? AND seq > ? AND seq >= COALESCE(
         (SELECT MIN(seq) FROM changes WHERE owner_id = ? AND resource = 'webhooksubscription'), 0) ORDER BY seq`,
      [owner, seen, owner],
    );
    return rows.map(({ seq }) => Number(seq));
  }
}

const nameOf = (garage: string, seq: unknown) => `${garage} ${seq}`;
