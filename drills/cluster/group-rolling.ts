// The members of a MySQL group are restarted one after the other under load, the primary too. Then the processes of the
// service are, and no request may fail.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Report, seconds } from '../chaos/report.ts';
import { openGroup } from './cluster.ts';
import type { GroupNode } from './group-node.ts';
import { type Disturbed, underLoad } from './load.ts';
import { rolling } from './rolling.ts';

/** Between two restarts, so that the silences of each are told apart. */
const PAUSE_MS = 5_000;
const CLIENTS = 8;

export async function groupRolling(report: Report, folder: string): Promise<void> {
  const load = { seconds: 0, clients: CLIENTS, openCluster: openGroup };
  await underLoad(report, join(folder, 'nodes'), load, (disturbed) => restartNodes(report, disturbed));
  await restartProcesses(report, join(folder, 'processes'));
}

/** The secondaries, the primary, and then the new primary, which first hands the writes over. */
async function restartNodes(
  report: Report,
  { scene, longestSilence }: Disturbed<GroupNode>,
): Promise<undefined> {
  const { cluster } = scene;
  const restart = async (node: GroupNode, what: string, prepare = async () => {}) => {
    await pause(PAUSE_MS);
    const began = performance.now();
    await prepare();
    await node.stop();
    await node.start();
    await node.synced();
    const took = performance.now() - began;
    await pause(PAUSE_MS);
    report.say(
      `  ${what} ${node.name} restarted in ${seconds(took)}; no request was acknowledged for ${seconds(longestSilence(began))}`,
    );
  };
  const primary = await cluster.victim();
  for (const node of cluster.nodes) if (node !== primary) await restart(node, 'secondary');
  await restart(primary, 'primary');
  const next = await cluster.victim();
  await restart(next, 'after a hand-over', () => primary.becomePrimary());
  return undefined;
}

async function restartProcesses(report: Report, folder: string): Promise<void> {
  const cluster = await openGroup(join(folder, 'nodes'));
  try {
    await cluster.createDatabase('forecourt');
    const environments = [0, 1].map((index) => ({ DATABASE_URL: cluster.url('forecourt', index) }));
    await rolling(report, folder, { restarts: 6, rate: 100, drainSeconds: 2, environments });
  } finally {
    await cluster.close();
  }
}
