// Nodes go away while each process is asked without a pause: two nodes at once, so that the third has no majority; one
// that is cut off from the others; one that is killed; one that hangs. A process never answers 500, moves to another
// node within seconds, and needs no restart.
import { setTimeout as pause } from 'node:timers/promises';
import { type Report, seconds } from '../chaos/report.ts';
import { until } from '../support/until.ts';
import { type Asker, startAskers } from './asker.ts';
import { USER } from './galera.ts';
import type { GaleraNode } from './galera-node.ts';
import { Scene } from './scene.ts';

/** How long a node stays away. The others notice after five seconds. */
const AWAY_MS = 15_000;
/** A process that is asked again after these has moved. */
const MOVED_MS = 20_000;
const BACK_MS = 15_000;
const PATIENCE_MS = 60_000;

export async function away(report: Report, folder: string): Promise<void> {
  const scene = await Scene.open(folder);
  try {
    await scene.start();
    await scene.settle();
    const pids = scene.processes.map(({ pid }) => pid);
    await withoutMajority(report, scene);
    for (const absence of ABSENCES) await oneAway(report, scene, absence);
    const same = scene.processes.every(({ pid }, index) => pid === pids[index]);
    report.demand(same, 'a process was restarted');
    for (const line of scene.errors()) report.say(`  logged by ${line}`);
  } finally {
    await scene.close();
  }
}

/** Two of three nodes are killed at once; the third refuses everything until they are back. */
async function withoutMajority(report: Report, scene: Scene): Promise<void> {
  const [left, ...gone] = scene.cluster.nodes;
  report.say('  two of three nodes are killed');
  const askers = await startAskers(scene);
  await Promise.all(gone.map((node) => node.kill()));
  await until(async () => (await left?.status())?.part !== 'Primary', PATIENCE_MS);
  await pause(AWAY_MS / 3);
  const meanwhile = askers.map((asker) => asker.startPhase());
  await pause(AWAY_MS / 3);
  const ready = await Promise.all(scene.processes.map((process) => process.health('ready')));
  const live = await Promise.all(scene.processes.map((process) => process.health('live')));
  report.say(`    without a majority: /health/ready answers ${ready.join()}, /health/live ${live.join()}`);
  report.demand(
    ready.every((status) => status === 503),
    `/health/ready answers ${ready.join()} without a majority`,
  );
  report.demand(
    live.every((status) => status === 200),
    `/health/live answers ${live.join()} without a majority`,
  );
  for (const [index, tally] of meanwhile.entries()) {
    const what = `${askers[index]?.name} without a majority: ${tally.text()}`;
    report.say(`    ${what}`);
    report.demand(tally.text() === `${tally.of(503)} × 503`, what);
  }
  await Promise.all(gone.map((node) => node.start()));
  await Promise.all(scene.cluster.nodes.map((node) => node.synced()));
  await sayRecovery(report, askers, 'after all nodes are in sync');
}

interface Absence {
  readonly what: string;
  leave(node: GaleraNode): Promise<void>;
  back(node: GaleraNode): Promise<void>;
}

const ABSENCES: readonly Absence[] = [
  { what: 'is cut off', leave: (node) => node.isolate(true), back: (node) => node.isolate(false) },
  { what: 'is killed', leave: (node) => node.kill(), back: (node) => node.start() },
  { what: 'hangs', leave: (node) => node.signal('SIGSTOP'), back: (node) => node.signal('SIGCONT') },
];

/** The node leaves that most connections go to: its processes find another one, and the others go on. */
async function oneAway(report: Report, scene: Scene, { what, leave, back }: Absence): Promise<void> {
  const connections = await Promise.all(scene.cluster.nodes.map((each) => each.connectionsOf(USER)));
  const node = scene.cluster.node(connections.indexOf(Math.max(...connections)));
  report.say(`  ${node.name} ${what}; the nodes have ${connections.join(', ')} connections`);
  const askers = await startAskers(scene);
  await leave(node);
  const left = performance.now();
  await pause(MOVED_MS);
  for (const asker of askers) {
    const works = asker.worksSince();
    const took = works === undefined ? undefined : Math.max(0, works - left);
    report.say(
      `    ${asker.name}: ${took === undefined ? 'fails' : `works ${seconds(took)} later`} (${asker.tally.text()})`,
    );
    report.demand(
      took !== undefined,
      `${asker.name} did not recover in ${seconds(MOVED_MS)} when ${node.name} ${what}`,
    );
  }
  await back(node);
  await node.synced();
  await sayRecovery(report, askers, 'after its return');
}

/** Each process answers all that it is asked, soon after the nodes are back. */
async function sayRecovery(report: Report, askers: readonly Asker[], when: string): Promise<void> {
  const began = performance.now();
  await pause(BACK_MS);
  for (const asker of askers) await asker.stop();
  for (const { name, tally, slowest, ...asker } of askers) {
    const last = asker.lastFailure === undefined ? 0 : Math.max(0, asker.lastFailure - began);
    report.say(
      `    ${name}: last failure ${seconds(last)} ${when}; slowest answer ${seconds(slowest)}; in all ${tally.text()}`,
    );
    report.demand(last < BACK_MS / 2, `${name} still failed ${seconds(last)} ${when}`);
    report.demand(
      tally.oddCount === 0,
      `${name}: ${tally.oddCount} answers that may not come: ${tally.odd.join('; ')}`,
    );
    report.demand(tally.late === 0, `${name}: ${tally.late} requests got no answer in time`);
  }
}
