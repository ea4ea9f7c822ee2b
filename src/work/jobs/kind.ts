// The kinds of jobs. Each file of workers/ adds its own kind with the parameters of that kind, so that the endpoint
// that requests a job, the engine and the worker agree on them.
import type { MessagePort } from 'node:worker_threads';
import type { OwnedTable } from '../../core/model/records/table.ts';
import type { ConnectionSettings } from '../../platform/database/settings.ts';
import type { StorageSettings } from '../../platform/storage/open.ts';

/** The parameters of each kind, by the name of the worker's file. They are stored as JSON. */
// biome-ignore lint/suspicious/noEmptyInterface: the files of workers/ fill it
export interface Kinds {}
export type Kind = keyof Kinds;

/** The task of a worker: the parameters of the request, and the engine's own. */
export type Task<K extends Kind> = Kinds[K] & {
  readonly job: string;
  readonly fence: number;
  readonly owner: number;
  /** The name of the zip among the archives. */
  readonly archive: string;
  /** Whether somebody has cancelled the job: only its report is written. */
  readonly isCancelled: boolean;
  /** Why the job was given up: only its report is written. Undefined: it was not. */
  readonly givenUpFor?: string;
  readonly connection: ConnectionSettings;
  readonly storage: StorageSettings;
  /** The tables of owners. A parameter: loading the resources in the thread would double the memory of a backup. */
  readonly tables: readonly OwnedTable[];
  readonly serviceVersion: string;
  /** Gets `{ progress }`, 0 to 100, or `{ stops: true }` if the worker can stop by itself. */
  readonly port?: MessagePort;
};

/** The result of a worker. Expected failures are returned, since errors lose their class between threads. */
export type JobResult =
  /** `error`: why the job has failed although it made its archive. */
  | { readonly ok: true; readonly size: number; readonly sha256: string; readonly error?: string }
  /** `passing`: the cause may pass, so another attempt may succeed. */
  | { readonly ok: false; readonly message: string; readonly passing?: true };
