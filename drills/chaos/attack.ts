// Attacks from one address and by one garage. Meanwhile a user of another garage at another address sends requests, and
// must hardly notice. Each part has a process and a garage of its own; its word selects it.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openTenant } from '../../test/support/process/process-garage.ts';
import type { Order } from './attack/attacker.ts';
import { watchEvents } from './attack/event-watch.ts';
import { type Figures, makeUser, measure, type User } from './attack/others.ts';
import type { Deed, Part } from './attack/part.ts';
import { PARTS } from './attack/parts.ts';
import { demandNoTraces, memory } from './attack/traces.ts';
import { type Report, seconds } from './report.ts';
import { Scene } from './scene.ts';

interface AttackOptions {
  /** How long an attack without an end of its own lasts. */
  readonly milliseconds: number;
  readonly sockets: number;
}

const ORDERS = 50;
const MOST_TIMES_IDLE = 5;
/** A machine that is quick when idle may still be busy with something else. */
const LEAST_ALLOWED_MS = 300;
const MOST_EVENT_MS = 2_000;
/** MiB of resident memory after an attack. */
const MOST_MEMORY_AFTER = 400;
const MEMORY_POLL_MS = 250;

export const ATTACK_PARTS = Object.keys(PARTS);

/** `names`: the parts to play; without names all of them. */
export async function attack(
  report: Report,
  folder: string,
  names: readonly string[],
  options: AttackOptions,
): Promise<void> {
  for (const [name, part] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const scene = await Scene.open(`${folder}/${name}`, { orders: ORDERS });
    try {
      await scene.start();
      await new Play(report, scene, name, part, options).run();
    } finally {
      await scene.close();
    }
  }
}

/** A part against a scene. */
class Play {
  private readonly report: Report;
  private readonly scene: Scene;
  private readonly name: string;
  private readonly part: Part;
  private readonly options: AttackOptions;
  private tokens: string[] = [];

  constructor(report: Report, scene: Scene, name: string, part: Part, options: AttackOptions) {
    this.report = report;
    this.scene = scene;
    this.name = name;
    this.part = part;
    this.options = options;
  }

  async run(): Promise<void> {
    const { report, scene, name, part, options } = this;
    const garage = await openTenant(scene.env, { orders: ORDERS });
    this.tokens = [await scene.tenant.token(scene.url)];
    while (this.tokens.length < (part.garages ?? 1))
      this.tokens.push(await (await openTenant(scene.env)).token(scene.url));
    const other = await makeUser(scene.env, scene.url, garage, 'other');
    const own = part.asksOwn && (await makeUser(scene.env, scene.url, scene.tenant, 'own'));
    await part.prepare?.(scene);
    await measure(scene.url, other, pause(options.milliseconds / 4));
    const idle = await measure(scene.url, other, pause(options.milliseconds));
    report.say(`${name}, idle: ${shown(idle)}`);
    for (const attack of Object.keys(part.attacks)) {
      await this.play(attack, { idle, other, own });
      if (!memory(scene.pid)) return report.demand(false, `${name}: the service is gone`);
    }
    await demandNoTraces(report, scene, name);
  }

  private async play(
    attack: string,
    users: { idle: Figures; other: User; own?: User | false },
  ): Promise<void> {
    const { report, scene, part } = this;
    const { idle, other, own } = users;
    const attacking = this.start(attack);
    const [deed, others, ofOwn, events, peak] = await Promise.all([
      attacking,
      measure(scene.url, other, attacking),
      own && measure(scene.url, own, attacking),
      part.watchesEvents && watchEvents(scene.url, other, scene.receiver, attacking),
      peakMemory(scene.pid, attacking),
    ]);
    report.say(`${attack}: ${deed.did}`);
    for (const wrong of deed.wrong ?? []) report.demand(false, `${attack}: ${wrong}`);

    report.say(`  others: ${shown(others)}`);
    report.demand(others.failed === 0, `${attack}: ${others.failed} requests of others failed`);
    const allowed = Math.max(MOST_TIMES_IDLE * idle.p99, LEAST_ALLOWED_MS);
    report.demand(others.p99 <= allowed, `${attack}: others waited ${others.p99.toFixed(0)} ms`);

    if (ofOwn) {
      report.say(`  the attacker's garage: ${shown(ofOwn)}`);
      report.demand(
        ofOwn.failed === 0,
        `${attack}: ${ofOwn.failed} requests of the attacker's garage failed`,
      );
    }
    if (events) {
      const slowest = Math.max(...events);
      report.say(`  events of others: ${events.length}, the slowest after ${seconds(slowest)}`);
      report.demand(slowest <= MOST_EVENT_MS, `${attack}: an event of others took ${seconds(slowest)}`);
    }

    const now = memory(scene.pid)?.now ?? 0;
    report.say(`  memory: ${now.toFixed(0)} MiB, ${peak.toFixed(0)} MiB at most so far`);
    report.demand(peak <= part.mostMemory, `${attack}: ${peak.toFixed(0)} MiB of memory`);
    report.demand(now <= MOST_MEMORY_AFTER, `${attack}: ${now.toFixed(0)} MiB of memory afterwards`);
  }

  /** Starts an attack in a thread. */
  private async start(attack: string): Promise<Deed> {
    const { scene, name, options, tokens } = this;
    const [token = ''] = tokens;
    const workerData: Order = { part: name, attack, url: scene.url, token, tokens, ...options };
    const attacker = new Worker(new URL('./attack/attacker.js', import.meta.url), { workerData });
    try {
      const [deed] = await once(attacker, 'message');
      return deed;
    } finally {
      await attacker.terminate();
    }
  }
}

/** MiB at most, until `during` is over or the process is gone. */
async function peakMemory(pid: number, during: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = during.finally(() => {
    isOver = true;
  });
  let peak = 0;
  for (let now = memory(pid); now; now = isOver ? undefined : memory(pid)) {
    peak = now.peak;
    await pause(MEMORY_POLL_MS);
  }
  await over;
  return peak;
}

const shown = ({ requests, failed, p50, p99, details }: Figures) =>
  `${requests} requests, ${failed} failed, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ${details}`;
