// An attack, and the attacks that are played together against one process of the service.
import type { Scene } from '../scene.ts';

/** The data that the thread of the attacker gets. */
export interface Target {
  readonly url: string;
  /** The token of an ADMIN of the attacker's garage. */
  readonly token: string;
  /** The same for all garages that take part, the attacker's own first. */
  readonly tokens: readonly string[];
  /** How long an attack without an end of its own lasts. */
  readonly milliseconds: number;
  readonly sockets: number;
}

/** The report of an attack. `wrong`: answers that should have been refusals. */
export interface Deed {
  readonly did: string;
  readonly wrong?: readonly string[];
}

type Attack = (target: Target) => Promise<Deed>;

export interface Part {
  /** Makes what the attacks need, before the others are measured. */
  readonly prepare?: (scene: Scene) => Promise<void>;
  /** The attacks by name, one after the other. */
  readonly attacks: Readonly<Record<string, Attack>>;
  /** How many garages attack together; default: 1. */
  readonly garages?: number;
  /** MiB of resident memory at the peak. */
  readonly mostMemory: number;
  /** Asks for the attacker's own garage, too: its requests may be slow, but none may fail. */
  readonly asksOwn?: boolean;
  /** Waits for the events of the other garage, too. */
  readonly watchesEvents?: boolean;
}
