// A record that one process has written is found by its new texts at the next process, and by its old texts at none.
// Rows that somebody else has written are folded by all processes and by commands of migration at once.
import { LISTS } from '../../src/core/trade/lists.ts';
import { forecourt } from '../../test/support/process/forecourt.ts';
import type { Report } from '../chaos/report.ts';
import type { OpenCluster } from './cluster.ts';
import { Scene } from './scene.ts';

interface SearchOptions {
  /** How many records are found at once at the next process. */
  readonly times: number;
  /** How many rows are written past the service, some portions of them. */
  readonly rows: number;
  readonly openCluster: OpenCluster;
}

export async function search(report: Report, folder: string, options: SearchOptions): Promise<void> {
  const scene = await Scene.open(folder, options.openCluster);
  try {
    await scene.start();
    await foundAtOnce(report, scene, options);
    await foldedAtOnce(report, scene, options);
    report.demand(scene.tally.oddCount === 0, `answers that may not come: ${scene.tally.odd.join('; ')}`);
    for (const line of scene.errors()) report.say(`  logged by ${line}`);
  } finally {
    await scene.close();
  }
}

const person = (last_name: string) => ({ contact_kind: LISTS.contactkinds.PERSON, last_name, country_id: 1 });

/** How many contacts a process finds by these words. */
async function countFound(scene: Scene, index: number, words: string): Promise<number> {
  const answer = await scene.ask(
    index,
    'GET',
    `/contact?count=1&page_size=1&search=${encodeURIComponent(words)}`,
  );
  return answer.body.total;
}

/** Adds or renames a contact at one process, and searches it at the next one. */
async function foundAtOnce(report: Report, scene: Scene, { times }: SearchOptions): Promise<void> {
  let [lost, old] = [0, 0];
  for (let time = 0; time < times; time += 1) {
    const added = await scene.ask(time, 'POST', '/contact', { body: person(`Zoë Brön${time}n`) });
    if ((await countFound(scene, time + 1, `zoe bron${time}n`)) !== 1) lost += 1;
    const body = { last_name: `Müller${time}r` };
    await scene.ask(time + 1, 'PUT', `/contact/${added.data.id}`, { body });
    if ((await countFound(scene, time + 2, `muller${time}r`)) !== 1) lost += 1;
    if ((await countFound(scene, time, `bron${time}n`)) !== 0) old += 1;
  }
  report.say(
    `  ${2 * times} writes searched at once at the next process: ${lost} not found; ${old} of ${times} by an old name`,
  );
  report.demand(lost + old === 0, `${lost} writes were not found at the next process, ${old} by an old name`);
}

/** The processes search and write, and two commands migrate, while all rows wait to be folded. */
async function foldedAtOnce(report: Report, scene: Scene, { rows }: SearchOptions): Promise<void> {
  for (let row = 0; row < rows; row += 1) await scene.add('contact', person(`Bäcker ${row}`));
  await scene.settle();
  await scene.cluster.first.query(
    "UPDATE forecourt.contacts SET last_name = REPLACE(last_name, 'Bäcker', 'Schäfer')",
  );
  await scene.settle();

  const searches = scene.processes.map((_, index) => countFound(scene, index, 'schafer'));
  const writes = scene.processes.map((_, index) =>
    scene.ask(index, 'POST', '/contact', { body: person('Schäfer') }),
  );
  const commands = [0, 1].map((index) => forecourt(scene.process(index).env, ['migrate']));
  await Promise.all([...searches, ...writes]);
  const codes = (await Promise.all(commands)).map(({ code }) => code);
  await scene.settle();

  const found = [];
  for (const index of scene.processes.keys()) found.push(await countFound(scene, index, 'schafer'));
  const expected = rows + scene.processes.length;
  const { out } = await forecourt(scene.process(0).env, ['doctor', '--offline', '--json']);
  const texts = JSON.parse(out).findings.find(({ check }: { check: string }) => check === 'searches');
  report.say(
    `  ${rows} rows written past the service: ${found.join(', ')} of ${expected} found at the processes; doctor: ${texts.detail}`,
  );
  report.demand(
    codes.every((code) => code === 0),
    `migrate ended with ${codes.join()}`,
  );
  report.demand(
    found.every((count) => count === expected),
    `not ${expected} but ${found.join(', ')} contacts were found`,
  );
  report.demand(texts.ok && !texts.warning, `doctor: ${texts.detail}`);
}
