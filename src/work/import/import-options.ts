// The options of an import, and the resource with the columns that its rows may have.

import { historyShape } from '../../core/model/bodies/history.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { allResources } from '../../core/model/records/registry.ts';
import type { Actor } from '../../core/model/statements/session.ts';
import { takesUpsert } from '../../core/model/writes/upsert.ts';
import type { Format } from './file-row.ts';
import type { Mode } from './mode.ts';

export interface ImportOptions {
  /** As `importShape` makes it. */
  readonly resource: Resource;
  /** Whether rows may give the readonly fields of old records. */
  readonly isHistory: boolean;
  readonly mode: Mode;
  /** Whether everything is checked and nothing is written. */
  readonly isDryRun: boolean;
  readonly actor: Actor;
  /** Kinds of children that the key may not add, or not change. */
  readonly forbiddenChildren: { readonly POST: readonly string[]; readonly PUT: readonly string[] };
  /** Resources that the key may not read: the report names no records of them. */
  readonly unreadable: readonly string[];
  readonly format: Format;
}

/** The resources that can be imported: they have a POST, and its answer shows no secret. */
export const importable = (): Resource[] => allResources().filter(takesUpsert);

/** The resource as rows may give it. `isHistory`: the readonly fields of old records, too. */
export const importShape = (resource: Resource, isHistory: boolean): Resource =>
  isHistory ? historyShape(resource) : resource;
