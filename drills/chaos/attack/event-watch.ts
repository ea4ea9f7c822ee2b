// The events of a garage that is not the attacker: each must reach its receiver soon after its change.
import type { Receiver } from '../../../test/support/process/https-receiver.ts';
import { until } from '../../../test/support/service/until.ts';
import type { User } from './others.ts';

const PATIENCE_MS = 90_000;

/** Changes a contact again and again until `during` is over; how many milliseconds each event took. */
export async function watchEvents(
  url: string,
  { tenant, contact }: User,
  receiver: Receiver,
  during: Promise<unknown>,
): Promise<number[]> {
  const path = `/${crypto.randomUUID()}`;
  const subscription = { url: receiver.url(path), resources: ['contact'] };
  const { status, text } = await tenant.ask(url, 'POST', '/webhooksubscription', subscription);
  if (status !== 201) throw new Error(`no subscription: ${text}`);

  let isOver = false;
  const over = during.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  for (let change = 1; !isOver; change += 1) {
    const body = { notes: `change ${change} of ${path}` };
    const changed = await tenant.ask(url, 'PUT', `/contact/${contact}`, body);
    if (changed.status !== 200) throw new Error(`a change failed: ${changed.text}`);
    const began = performance.now();
    const has = () => receiver.requests.filter((one) => one.url === path).length >= change;
    times.push(
      await until(async () => has() && performance.now() - began, PATIENCE_MS).catch(
        () => Number.POSITIVE_INFINITY,
      ),
    );
    if (times.at(-1) === Number.POSITIVE_INFINITY) break;
  }
  await over;
  return times;
}
