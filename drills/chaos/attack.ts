// Attacks from one address: sockets that only hold on, and JSON that is costly to read. Meanwhile somebody at another
// address sends requests, each on a new connection, and must hardly notice.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Report } from './report.ts';
import { Scene } from './scene.ts';

export interface AttackOptions {
  /** How long each attack lasts. */
  readonly milliseconds: number;
  readonly sockets: number;
}

const PATIENCE_MS = 5_000;
const PAUSE_MS = 25;
const MOST_TIMES_IDLE = 5;
/** A machine that is quick when idle may still be busy with something else. */
const LEAST_ALLOWED_MS = 300;
const MOST_MEMORY_MIB = 400;

const ATTACKS = [
  'sockets without a token',
  'sockets with an open endpoint',
  'wide JSON',
  'deep JSON',
  'many names',
] as const;

/** What the thread of the attacker is given. */
export interface Attack {
  readonly name: (typeof ATTACKS)[number];
  readonly url: string;
  readonly token: string;
  readonly milliseconds: number;
  readonly sockets: number;
}

export async function attack(report: Report, folder: string, options: AttackOptions): Promise<void> {
  const scene = await Scene.open(folder, { orders: 50 });
  try {
    await scene.start();
    await measure(scene, options.milliseconds / 4);
    const idle = await measure(scene, options.milliseconds);
    report.say(`idle: ${shown(idle)}`);
    for (const name of ATTACKS) {
      const token = await scene.tenant.token(scene.url);
      const attacking = start({ name, url: scene.url, token, ...options });
      const others = await measure(scene, options.milliseconds);
      report.say(`${name}: ${shown(others)}, ${memory(scene.pid).toFixed(0)} MiB (${await attacking})`);
      report.demand(others.failed === 0, `${name}: ${others.failed} requests of others failed`);
      const allowed = Math.max(MOST_TIMES_IDLE * idle.p99, LEAST_ALLOWED_MS);
      report.demand(others.p99 <= allowed, `${name}: others waited ${others.p99.toFixed(0)} ms`);
    }
    const peak = memory(scene.pid);
    report.demand(peak <= MOST_MEMORY_MIB, `${peak.toFixed(0)} MiB of memory`);
  } finally {
    await scene.close();
  }
}

/** Starts an attack in a thread, so that the attack does not slow down what measures; what the attacker says. */
async function start(attack: Attack): Promise<string> {
  const [said] = await once(
    new Worker(new URL('./attacker.js', import.meta.url), { workerData: attack }),
    'message',
  );
  return said;
}

interface Figures {
  readonly requests: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
}

/** Sends GETs one after the other, each on a new connection. */
async function measure(scene: Scene, milliseconds: number): Promise<Figures> {
  const token = await scene.tenant.token(scene.url);
  const times: number[] = [];
  let failed = 0;
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const began = performance.now();
    if ((await ask(`${scene.url}/v2/contact?page_size=5`, token)) !== 200) failed += 1;
    times.push(performance.now() - began);
    await pause(PAUSE_MS);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { requests: times.length, failed, p50: at(0.5), p99: at(0.99) };
}

const ask = (url: string, token: string) =>
  new Promise<number>((resolve) => {
    const sent = get(url, { agent: false, headers: { token }, timeout: PATIENCE_MS }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(0));
  });

const shown = ({ requests, failed, p50, p99 }: Figures) =>
  `${requests} GETs of others, ${failed} failed, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

/** MiB of resident memory. */
function memory(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 2 ** 10;
}
