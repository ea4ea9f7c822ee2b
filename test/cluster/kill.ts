// Clients write without a pause while a node is killed and rejoins, and a process is killed and starts again. Each
// request is sent again until it is acknowledged. At the end each acknowledged write is there once.
import { setTimeout as pause } from 'node:timers/promises';
import { type Report, seconds } from '../chaos/report.ts';
import { askForBackup } from './backup.ts';
import { PersistentClient, Unanswered } from './client.ts';
import { checkTrade } from './kill-check.ts';
import { makeShared, type Shared, work } from './kill-work.ts';
import { Ledger } from './ledger.ts';
import { Scene } from './scene.ts';
import { Tally } from './tally.ts';

/** Without pauses the machine would be too busy for the nodes to hear one another. */
const LONGEST_PAUSE_MS = 60;
/** What may be answered: done, refused by a rule, or away for a moment. */
const ALLOWED = /^(20[012]|403|409|503|broken|proxy 50[234])$/;

export interface KillOptions {
  readonly seconds: number;
  readonly clients: number;
}

export async function kill(report: Report, folder: string, options: KillOptions): Promise<void> {
  const scene = await Scene.open(folder);
  try {
    await scene.start();
    const shared = await makeShared(scene);
    await scene.settle();
    scene.tally = new Tally(ALLOWED);
    const ledger = new Ledger();
    const token = await scene.tenant.token(scene.proxy.url);
    const clients = Array.from(
      { length: options.clients },
      (_, index) => new PersistentClient(scene, ledger, { index, token }),
    );
    const began = performance.now();
    const end = began + 1000 * options.seconds;
    const working = clients.map((client) => workUntil(client, shared, end));
    const [backup] = await Promise.all([disturb(report, scene, ledger, { token, ...options }), ...working]);

    sayAnswers(report, scene, clients, began);
    await scene.settle();
    const records = await ledger.check(report, scene);
    checkTrade(report, records);
    await backup.restore(report);
    for (const line of scene.errors()) report.say(`  logged by ${line}`);
  } finally {
    await scene.close();
  }
}

async function workUntil(client: PersistentClient, shared: Shared, end: number): Promise<void> {
  while (performance.now() < end) {
    await work(client, shared).catch((error) => {
      if (!(error instanceof Unanswered)) throw error;
    });
    await pause(Math.random() * LONGEST_PAUSE_MS);
  }
}

/** Kills a node, asks for a backup, brings the node back, kills a process, brings it back. */
async function disturb(
  report: Report,
  scene: Scene,
  ledger: Ledger,
  { token, seconds: length }: { token: string; seconds: number },
) {
  const wait = (share: number) => pause(1000 * length * share);
  const [node, process] = [scene.cluster.node(1), scene.process(2)];
  await wait(0.15);
  await node.kill();
  report.say(`  ${node.name} killed after ${seconds(150 * length)}`);
  const backup = await askForBackup(scene, new PersistentClient(scene, ledger, { index: 1, token }));
  report.say(`  a backup was accepted ${seconds(backup.asked)} later`);
  await wait(0.2);
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
  return backup;
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
