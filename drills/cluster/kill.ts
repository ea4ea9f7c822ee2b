// Under load a node is killed and rejoins, and a process is killed and starts again. In a MySQL group the primary is
// killed, so that another node takes over.
import { setTimeout as pause } from 'node:timers/promises';
import { type Report, seconds } from '../chaos/report.ts';
import { askForBackup } from './backup.ts';
import { type Disturbed, type LoadOptions, underLoad } from './load.ts';

export const kill = (report: Report, folder: string, options: LoadOptions): Promise<void> =>
  underLoad(report, folder, options, (disturbed) => disturb(report, disturbed, options.seconds));

/** Kills a node, asks for a backup, brings the node back, kills a process, brings it back. */
async function disturb(report: Report, { scene, newClient, longestSilence }: Disturbed, length: number) {
  const wait = (share: number) => pause(1000 * length * share);
  const [node, process] = [await scene.cluster.victim(), scene.process(2)];
  await wait(0.15);
  const killed = performance.now();
  await node.kill();
  report.say(`  ${node.name} killed after ${seconds(150 * length)}`);
  const backup = await askForBackup(scene, newClient());
  report.say(`  a backup was accepted ${seconds(backup.asked)} later`);
  await wait(0.2);
  report.say(`  no request was acknowledged for ${seconds(longestSilence(killed))}`);
  let began = performance.now();
  await node.start();
  await node.synced();
  report.say(`  ${node.name} in sync ${seconds(performance.now() - began)} after its start`);
  await wait(0.2);
  await process.end('SIGKILL');
  report.say(`  ${process.name} killed`);
  await wait(0.05);
  began = performance.now();
  process.launch();
  await process.listening();
  report.say(`  ${process.name} listens ${seconds(performance.now() - began)} after its start`);
  return backup.restore;
}
