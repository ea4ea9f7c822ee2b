// The references between records of a backup: reference fields, and the copies of records that some fields hold.
import { problem } from '../errors.ts';
import type { Row } from '../model/field.ts';
import type { Resource } from '../model/record.ts';
import type { Ids } from './ids.ts';
import { at } from './records.ts';
import type { Shared } from './shared.ts';
import type { ArchivedFile } from './write.ts';

/** The new ID of a record; undefined where there is no such record, or not yet. */
export type Translate = (resource: string, id: number) => number | undefined;

type Named = readonly (readonly [field: string, resource: string])[];

interface Leads {
  /** The reference fields, each with the name of the resource that it refers to. */
  readonly references: Named;
  /** The fields that hold a copy of a record, each with the name of its resource. */
  readonly copies: Named;
}

const known = new WeakMap<Resource, Leads>();

/** The reference fields and copies of a resource; kept, since every record needs them. */
export function leadsOf(resource: Resource): Leads {
  let leads = known.get(resource);
  if (!leads) {
    const fields = [...resource.fields];
    leads = {
      references: fields.flatMap(([field, { reference }]) => (reference ? [[field, reference]] : [])),
      copies: fields.flatMap(([field, { copyOf }]) => (copyOf ? [[field, copyOf]] : [])),
    };
    known.set(resource, leads);
  }
  return leads;
}

/**
 * A copy with the new IDs, as JSON text. It may refer to records that were deleted after it was made: those
 * references become null.
 */
export function translateCopy(json: string, resource: Resource, translate: Translate): string {
  const copy = JSON.parse(json) as Record<string, unknown>;
  for (const [field, to] of [['id', resource.name] as const, ...leadsOf(resource).references]) {
    if (typeof copy[field] === 'number') copy[field] = translate(to, copy[field]) ?? null;
  }
  return JSON.stringify(copy);
}

interface Place {
  readonly file: ArchivedFile;
  readonly line: number;
}

interface Forward extends Place {
  readonly field: string;
  readonly value: number;
  readonly to: string;
}

/** Checks references as records are read. References to records that come later are kept and checked at the end. */
export class References {
  private readonly forward: Forward[] = [];
  private readonly ids: ReadonlyMap<string, Ids>;
  private readonly shared: Shared;

  /** `ids` has the resources that have been read, and the one that is being read. */
  constructor(ids: ReadonlyMap<string, Ids>, shared: Shared) {
    this.ids = ids;
    this.shared = shared;
  }

  /** Throws Problem. */
  check(resource: Resource, row: Row, place: Place): void {
    const { references, copies } = leadsOf(resource);
    for (const [field, to] of references) {
      const value = Number(row[field]);
      if (row[field] === null || this.exists(to, value)) continue;
      const isRead = to !== resource.name && (this.ids.has(to) || this.shared.has(to));
      if (isRead) throw problem('reference_unknown', { field, value });
      this.forward.push({ ...place, field, value, to });
    }
    for (const [field, of] of copies) {
      const { id } = JSON.parse(String(row[field])) as { id?: unknown };
      if (typeof id === 'number' && !this.exists(of, id))
        throw problem('reference_unknown', { field, value: id });
    }
  }

  /** To be called when all records have been read. Throws a BadArchive. */
  checkForward(): void {
    for (const { file, line, field, value, to } of this.forward) {
      if (this.exists(to, value)) continue;
      at(file, line, () => {
        throw problem('reference_unknown', { field, value });
      });
    }
  }

  private exists(resource: string, id: number): boolean {
    return this.shared.get(resource)?.has(id) ?? (this.ids.get(resource)?.placeOf(id) ?? -1) >= 0;
  }
}
