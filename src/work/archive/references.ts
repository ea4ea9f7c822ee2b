// The references between records of a backup: reference fields, and fields that contain a copy of another record.
// Records that all owners share, such as countries, are not in a backup, since their IDs are the same everywhere.
import { problem } from '../../core/errors.ts';
import type { Row } from '../../core/model/fields/field.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { allResources, resourceNamed } from '../../core/model/records/registry.ts';
import { remembered } from '../../core/model/statements/remembered.ts';
import type { Session } from '../../core/model/statements/session.ts';
import type { ArchivedFile } from '../../platform/zip/write.ts';
import type { Ids } from './ids.ts';
import { atLine } from './records.ts';

/** The IDs of shared records, by resource. */
export type Shared = ReadonlyMap<string, ReadonlySet<number>>;

export async function readShared(session: Session): Promise<Shared> {
  const shared = new Map<string, ReadonlySet<number>>();
  for (const { name, ownership, model } of allResources()) {
    if (ownership !== 'none') continue;
    const rows = await model.ofAllOwners('engine', session).select('id');
    shared.set(name, new Set(rows.map(({ id }) => Number(id))));
  }
  return shared;
}

/** The new ID of a record. Undefined if the record is not written, or not yet. */
export type Translate = (resource: string, id: number) => number | undefined;

type Named = readonly (readonly [field: string, resource: string])[];

interface Links {
  /** The reference fields and their resources. */
  readonly references: Named;
  /** The fields that contain a copy of a record, and the resources of the copies. */
  readonly copies: Named;
}

/** The reference fields and copies of a resource. */
export const linksOf = remembered(
  ({ fields }: Resource): Links => ({
    references: [...fields].flatMap(([field, { reference }]) => (reference ? [[field, reference]] : [])),
    copies: [...fields].flatMap(([field, { copyOf }]) => (copyOf ? [[field, copyOf]] : [])),
  }),
);

type Copy = Record<string, unknown>;

/**
 * A copy, or an array of copies, with the new IDs, as JSON text. A copy may refer to records that were deleted since.
 * Those references become null.
 */
export function translateCopy(json: string, resource: Resource, translate: Translate): string {
  const copies = JSON.parse(json) as Copy | Copy[];
  for (const copy of [copies].flat()) translateIds(copy, resource, translate);
  return JSON.stringify(copies);
}

function translateIds(copy: Copy, resource: Resource, translate: Translate): void {
  for (const [field, to] of [['id', resource.name] as const, ...linksOf(resource).references]) {
    if (typeof copy[field] === 'number') copy[field] = translate(to, copy[field]) ?? null;
  }
}

interface Position {
  readonly file: ArchivedFile;
  readonly line: number;
}

interface Forward extends Position {
  readonly field: string;
  readonly value: number;
  readonly to: string;
}

/** Checks references while records are read. References to later records are checked at the end. */
export class References {
  private readonly forward: Forward[] = [];
  private readonly ids: ReadonlyMap<string, Ids>;
  private readonly shared: Shared | undefined;

  /**
   * `ids` has the resources read so far, including the current one. Without `shared` references to shared records are
   * not checked.
   */
  constructor(ids: ReadonlyMap<string, Ids>, shared: Shared | undefined) {
    this.ids = ids;
    this.shared = shared;
  }

  /** Throws Problem. */
  check(resource: Resource, row: Row, position: Position): void {
    const { references, copies } = linksOf(resource);
    for (const [field, to] of references) {
      const value = Number(row[field]);
      if (row[field] === null || this.exists(to, value)) continue;
      const isRead = to !== resource.name && (this.ids.has(to) || resourceNamed(to).ownership === 'none');
      if (isRead) throw problem('reference_unknown', { field, value });
      this.forward.push({ ...position, field, value, to });
    }
    for (const [field, of] of copies) {
      for (const { id } of [JSON.parse(String(row[field])) as Copy | Copy[]].flat())
        if (typeof id === 'number' && !this.exists(of, id))
          throw problem('reference_unknown', { field, value: id });
    }
  }

  /** Call this after all records have been read. Throws a BadArchive. */
  checkForward(): void {
    for (const { file, line, field, value, to } of this.forward) {
      if (this.exists(to, value)) continue;
      atLine(file, line, () => {
        throw problem('reference_unknown', { field, value });
      });
    }
  }

  private exists(resource: string, id: number): boolean {
    if (resourceNamed(resource).ownership === 'none') return this.shared?.get(resource)?.has(id) ?? true;
    return (this.ids.get(resource)?.indexOf(id) ?? -1) >= 0;
  }
}
