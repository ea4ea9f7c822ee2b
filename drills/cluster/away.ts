// Nodes go away while each process is asked without a pause: two nodes at once, so that the third has no majority; a
// node that is cut off from the others (Galera only); a killed node; a node that hangs. A process never answers 500,
// moves to another node within seconds, and needs no restart.
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/support/service/until.ts';
import { type Report, seconds } from '../chaos/report.ts';
import { type Asker, startAskers } from './asker.ts';
import { type OpenCluster, openGalera, openGroup, USER } from './cluster.ts';
import type { GaleraNode } from './galera-node.ts';
import type { ClusterNode } from './node.ts';
import { Scene } from './scene.ts';

/** How long a node stays away. The others notice after five seconds. */
const AWAY_MS = 15_000;
/** A process that is asked again after these has moved. */
const MOVED_MS = 20_000;
const BACK_MS = 15_000;
const PATIENCE_MS = 60_000;

interface Absence<N extends ClusterNode> {
  readonly what: string;
  leave(node: N): Promise<void>;
  back(node: N): Promise<void>;
}

interface Absences<N extends ClusterNode> {
  readonly openCluster: OpenCluster<N>;
  /** The absence of two nodes at once. */
  readonly ofMost: Absence<N>;
  readonly ofOne: readonly Absence<N>[];
}

const KILLED: Absence<ClusterNode> = {
  what: 'is killed',
  leave: (node) => node.kill(),
  back: (node) => node.start(),
};
const HANGS: Absence<ClusterNode> = {
  what: 'hangs',
  leave: (node) => node.signal('SIGSTOP'),
  back: (node) => node.signal('SIGCONT'),
};
const CUT_OFF: Absence<GaleraNode> = {
  what: 'is cut off',
  leave: (node) => node.isolate(true),
  back: (node) => node.isolate(false),
};

export const away = (report: Report, folder: string): Promise<void> =>
  play(report, folder, { openCluster: openGalera, ofMost: KILLED, ofOne: [CUT_OFF, KILLED, HANGS] });

/** Killed members could not come back by themselves: a member joins a majority. */
export const groupAway = (report: Report, folder: string): Promise<void> =>
  play(report, folder, { openCluster: openGroup, ofMost: HANGS, ofOne: [KILLED, HANGS] });

async function play<N extends ClusterNode>(
  report: Report,
  folder: string,
  { openCluster, ofMost, ofOne }: Absences<N>,
): Promise<void> {
  const scene = await Scene.open(folder, openCluster);
  try {
    await scene.start();
    await scene.settle();
    const pids = scene.processes.map(({ pid }) => pid);
    await withoutMajority(report, scene, ofMost);
    for (const absence of ofOne) await oneAway(report, scene, absence);
    const same = scene.processes.every(({ pid }, index) => pid === pids[index]);
    report.demand(same, 'a process was restarted');
    for (const line of scene.errors()) report.say(`  logged by ${line}`);
  } finally {
    await scene.close();
  }
}

/** Two of three nodes leave at once; the third refuses everything until they are back. */
async function withoutMajority<N extends ClusterNode>(
  report: Report,
  scene: Scene<N>,
  { what, leave, back }: Absence<N>,
): Promise<void> {
  const [left, ...gone] = scene.cluster.nodes;
  report.say(`  each of two nodes ${what}`);
  const askers = await startAskers(scene);
  await Promise.all(gone.map(leave));
  await until(async () => !(await left?.hasMajority()), PATIENCE_MS);
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
  await Promise.all(gone.map(back));
  await Promise.all(scene.cluster.nodes.map((node) => node.synced()));
  await sayRecovery(report, askers, 'after all nodes are in sync');
}

/** The node leaves that most connections go to: its processes find another one, and the others go on. */
async function oneAway<N extends ClusterNode>(
  report: Report,
  scene: Scene<N>,
  { what, leave, back }: Absence<N>,
): Promise<void> {
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
