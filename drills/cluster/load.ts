// Clients write without a pause while a scene disturbs the cluster. Each request is sent again until it is
// acknowledged. At the end each acknowledged write is there once.
import { setTimeout as pause } from 'node:timers/promises';
import { type Report, seconds } from '../chaos/report.ts';
import { PersistentClient, Unanswered } from './client.ts';
import type { OpenCluster } from './cluster.ts';
import { checkTrade } from './kill-check.ts';
import { makeShared, type Shared, work } from './kill-work.ts';
import { Ledger } from './ledger.ts';
import type { ClusterNode } from './node.ts';
import { Scene } from './scene.ts';
import { Tally } from './tally.ts';

/** Without pauses the machine would be too busy for the nodes to hear one another. */
const LONGEST_PAUSE_MS = 60;
/** The answers that are allowed: done, refused by a rule, or away for a moment. */
const ALLOWED = /^(20[012]|403|409|503|broken|proxy 50[234])$/;

export interface LoadOptions<N extends ClusterNode = ClusterNode> {
  /** The clients work for so long, and until the disturbance is over. */
  readonly seconds: number;
  readonly clients: number;
  readonly openCluster: OpenCluster<N>;
}

export interface Disturbed<N extends ClusterNode = ClusterNode> {
  readonly scene: Scene<N>;
  /** One more client. */
  newClient(): PersistentClient;
  /** The longest time since then without an acknowledged request of any client. */
  longestSilence(since: number): number;
}

/** `disturb` may answer a check for the time when the clients have ended. */
export async function underLoad<N extends ClusterNode>(
  report: Report,
  folder: string,
  options: LoadOptions<N>,
  disturb: (disturbed: Disturbed<N>) => Promise<((report: Report) => Promise<void>) | undefined>,
): Promise<void> {
  const scene = await Scene.open(folder, options.openCluster);
  try {
    await scene.start();
    const shared = await makeShared(scene);
    await scene.settle();
    scene.tally = new Tally(ALLOWED);
    const ledger = new Ledger();
    const token = await scene.tenant.token(scene.proxy.url);
    const newClient = (index = 1) => new PersistentClient(scene, ledger, { index, token });
    const clients = Array.from({ length: options.clients }, (_, index) => newClient(index));
    const began = performance.now();
    const end = began + 1000 * options.seconds;
    let isDisturbed = true;
    const isOver = () => !isDisturbed && performance.now() >= end;
    const working = clients.map((client) => workUntil(client, shared, isOver));
    const longestSilence = (since: number) => longestPause(clients, since);
    const disturbing = disturb({ scene, newClient, longestSilence }).finally(() => {
      isDisturbed = false;
    });
    const [check] = await Promise.all([disturbing, ...working]);

    sayAnswers(report, scene, clients, began);
    await scene.settle();
    const records = await ledger.check(report, scene);
    checkTrade(report, records);
    await check?.(report);
    for (const line of scene.errors()) report.say(`  logged by ${line}`);
  } finally {
    await scene.close();
  }
}

async function workUntil(client: PersistentClient, shared: Shared, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await work(client, shared).catch((error) => {
      if (!(error instanceof Unanswered)) throw error;
    });
    await pause(Math.random() * LONGEST_PAUSE_MS);
  }
}

function longestPause(clients: readonly PersistentClient[], since: number): number {
  const times = clients.flatMap(({ acknowledged }) => acknowledged.filter((time) => time > since));
  times.push(since, performance.now());
  times.sort((one, other) => one - other);
  return times.reduce((most, time, index) => Math.max(most, time - (times[index - 1] ?? time)), 0);
}

function sayAnswers(
  report: Report,
  { tally }: Scene,
  clients: readonly PersistentClient[],
  began: number,
): void {
  const slowest = Math.max(...clients.map((client) => client.slowest));
  const failures = clients.flatMap((client) => client.failures).map((at) => Math.floor((at - began) / 1000));
  report.say(`  answers: ${tally.text()}; ${tally.late} requests had none in time`);
  report.say(`  the slowest request was acknowledged after ${seconds(slowest)}`);
  report.say(`  seconds with failed requests: ${[...new Set(failures)].sort((a, b) => a - b).join(' ')}`);
  report.demand(tally.oddCount === 0, `${tally.oddCount} answers that may not come: ${tally.odd.join('; ')}`);
  report.demand(tally.late === 0, `${tally.late} requests got no answer in time`);
}
