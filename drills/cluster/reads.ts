// A token, a record or a change of one process is known to the next one at once. One user logs in at all
// processes at the same time.

import { setTimeout as pause } from 'node:timers/promises';
import { LISTS } from '../../src/core/trade/lists.ts';
import { send } from '../../test/support/client/client.ts';
import type { Report } from '../chaos/report.ts';
import { openGalera } from './cluster.ts';
import { Scene } from './scene.ts';
import { openUser, type User } from './user.ts';

const { contactkinds } = LISTS;

const DEAD_MS = 1_000;

interface ReadOptions {
  /** How many tokens and how many records. */
  readonly times: number;
  readonly logins: number;
  readonly rounds: number;
}

export async function reads(report: Report, folder: string, options: ReadOptions): Promise<void> {
  const scene = await Scene.open(folder, openGalera);
  try {
    await scene.start();
    const user = await openUser(scene);
    await tokens(report, scene, user, options);
    await records(report, scene, options);
    await logins(report, scene, user, options);
    await logouts(report, scene, user, options);
    report.demand(scene.tally.oddCount === 0, `answers that may not come: ${scene.tally.odd.join('; ')}`);
    for (const line of scene.errors()) report.say(`  logged by ${line}`);
  } finally {
    await scene.close();
  }
}

/** A token of one process is used at the next one. */
async function tokens(report: Report, scene: Scene, user: User, { times }: ReadOptions): Promise<void> {
  let unknown = 0;
  for (let time = 0; time < times; time += 1) {
    const token = await user.token(time);
    const answer = await scene.ask(time + 1, 'GET', '/authenticate/fingerprint', { headers: { token } });
    if (answer.status !== 200) unknown += 1;
  }
  report.say(`  ${times} tokens used at once at the next process: ${unknown} unknown`);
  report.demand(unknown === 0, `${unknown} tokens were unknown at the next process`);
}

/** Adds or changes a record at one process, and reads it at the next one: by its ID and in a list. */
async function records(report: Report, scene: Scene, { times }: ReadOptions): Promise<void> {
  let [unknown, unlisted, old] = [0, 0, 0];
  for (let time = 0; time < times; time += 1) {
    const last_name = `Boer ${time}`;
    const body = { contact_kind: contactkinds.PERSON, last_name, country_id: 1 };
    const added = await scene.ask(time, 'POST', '/contact', { body });
    const { id } = added.data;
    const found = await scene.ask(time + 1, 'GET', `/contact/${id}`);
    if (found.status !== 200) unknown += 1;
    await scene.ask(time + 1, 'PUT', `/contact/${id}`, { body: { last_name: `${last_name} changed` } });
    const changed = await scene.ask(time + 2, 'GET', `/contact/${id}`);
    if (changed.data?.last_name !== `${last_name} changed`) old += 1;
    await scene.ask(time + 2, 'PUT', `/contact/${id}`, { body: { city: `City ${time}` } });
    const listed = await scene.ask(time, 'GET', `/contact?filter=city:${encodeURIComponent(`City ${time}`)}`);
    if (listed.data?.length !== 1) unlisted += 1;
  }
  report.say(`  ${times} records read at once at the next process: ${unknown} unknown`);
  report.say(
    `  ${times} changes read at once at the next process: ${old} not seen by ID, ${unlisted} not in the list`,
  );
  report.demand(
    unknown + old + unlisted === 0,
    `${unknown + old + unlisted} writes were not seen at the next process`,
  );
}

/** One user logs in many times at once: each login writes the same row. */
async function logins(
  report: Report,
  scene: Scene,
  user: User,
  { logins: count, rounds }: ReadOptions,
): Promise<void> {
  const statuses: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const login = async (index: number) => {
      const { url } = scene.process(index);
      const headers = { 'content-type': 'application/json' };
      const answer = await send('POST', `${url}/v2/authenticate`, { body: user.credentials, headers });
      scene.tally.add(answer, 'POST /authenticate');
      return answer.status;
    };
    statuses.push(...(await Promise.all(Array.from({ length: count }, (_, index) => login(index)))));
  }
  const failed = statuses.filter((status) => status !== 200);
  report.say(
    `  ${statuses.length} logins, ${count} at a time: ${failed.length} failed (${[...new Set(failed)].join()})`,
  );
  report.demand(failed.length === 0, `${failed.length} logins failed`);
}

/** A token that ends at one process is dead at the others a second later. */
async function logouts(report: Report, scene: Scene, user: User, { rounds }: ReadOptions): Promise<void> {
  let alive = 0;
  for (let round = 0; round < rounds; round += 1) {
    const headers = { token: await user.token(round) };
    const use = (index: number) => scene.ask(index, 'GET', '/authenticate/fingerprint', { headers });
    for (const index of scene.processes.keys()) await use(index);
    await scene.ask(round, 'GET', '/authenticate/logout', { headers });
    await pause(DEAD_MS);
    for (const index of scene.processes.keys()) if ((await use(index)).status !== 401) alive += 1;
  }
  report.say(`  ${rounds} tokens ended: ${alive} still alive at a process a second later`);
  report.demand(alive === 0, `${alive} ended tokens were still alive a second later`);
}
