// The thread of the attacker, so that an attack does not slow down the measuring thread. It reports at the end.
import { parentPort, workerData } from 'node:worker_threads';
import type { Deed, Target } from './part.ts';
import { PARTS } from './parts.ts';

/** Names an attack and its target. */
export interface Order extends Target {
  readonly part: string;
  readonly attack: string;
}

const { part, attack, ...target } = workerData as Order;

const play = async (): Promise<Deed> => {
  try {
    return (await PARTS[part]?.attacks[attack]?.(target)) ?? { did: '', wrong: ['there is no such attack'] };
  } catch (error) {
    return { did: 'ended early', wrong: [(error as Error).message] };
  }
};

parentPort?.postMessage(await play());
