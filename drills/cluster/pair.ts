// Two requests at two processes at the same instant, again and again. Then checks the rule that both had to keep, and
// their answers.

import type { Answer, Json } from '../../test/support/client/client.ts';
import type { Report } from '../chaos/report.ts';
import type { Scene } from './scene.ts';
import { Tally } from './tally.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly headers?: Record<string, string>;
}

export interface Pair {
  readonly requests: readonly [Sent, Sent];
  /** Whether the rule is broken now. */
  isBroken(answers: readonly Answer[]): Promise<boolean>;
}

export interface Rule {
  readonly name: string;
  /** Makes the records of one pair. */
  prepare(scene: Scene, round: number): Promise<Pair>;
}

export const post = (resource: string, body: Json): Sent => ({ method: 'POST', path: `/${resource}`, body });
export const put = (resource: string, id: number, body: Json): Sent => ({
  method: 'PUT',
  path: `/${resource}/${id}`,
  body,
});
export const remove = (resource: string, id: number): Sent => ({
  method: 'DELETE',
  path: `/${resource}/${id}`,
});

/** Sends so many pairs, each to two processes next to each other in turn. */
export async function playPairs(report: Report, scene: Scene, rule: Rule, count: number): Promise<void> {
  const tally = new Tally();
  let broken = 0;
  for (let round = 0; round < count; round += 1) {
    const { requests, isBroken } = await rule.prepare(scene, round);
    await scene.settle();
    const answers = await Promise.all(
      requests.map(({ method, path, ...rest }, index) => scene.ask(round + index, method, path, rest)),
    );
    for (const [index, answer] of answers.entries()) tally.add(answer, requests[index]?.path);
    await scene.settle();
    if (await isBroken(answers)) broken += 1;
  }
  report.say(`  ${rule.name}: ${count} pairs, ${broken} broke the rule (${tally.text()})`);
  report.demand(broken === 0, `${rule.name}: ${broken} of ${count} pairs broke the rule`);
  // No node is away, so every request can be answered.
  report.demand(
    tally.serverErrors() === 0,
    `${rule.name}: ${tally.serverErrors()} answers of 5xx: ${tally.odd.join('; ')}`,
  );
}
