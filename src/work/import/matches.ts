// The records that the rows of a batch match: by `id`, or else by `external_id`. All are found and locked at the
// beginning; what the rows add and change is remembered, since later rows may match it. A record that another request
// adds meanwhile is found once a row of an upsert can't be added.
import { Problem, violation } from '../../core/errors.ts';
import type { Body } from '../../core/model/bodies/check.ts';
import type { Row, Stored } from '../../core/model/fields/field.ts';
import { isId } from '../../core/model/fields/int4.ts';
import { lockRecords } from '../../core/model/lists/find.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import type { Session } from '../../core/model/statements/session.ts';
import type { ImportOptions } from './import-options.ts';

export class Matches {
  private readonly session: Session;
  private readonly options: ImportOptions;
  private readonly byId = new Map<unknown, Row>();
  private readonly byExternalId = new Map<unknown, Row>();

  constructor(session: Session, options: ImportOptions) {
    this.session = session;
    this.options = options;
  }

  async prepare(bodies: readonly Body[]): Promise<void> {
    if (this.options.mode === 'insert') return;
    await this.lock('id', bodies.map(({ id }) => id).filter(isId));
    await this.lock(
      'external_id',
      bodies.flatMap((body) => externalIdOf(body) ?? []),
    );
  }

  private async lock(column: 'id' | 'external_id', values: readonly Stored[]): Promise<void> {
    const { resource, actor } = this.options;
    const wanted = [...new Set(values)];
    if (wanted.length === 0) return;
    const rows = await lockRecords(garageOf(this.session, actor.owner), resource, column, wanted);
    for (const row of rows) this.remember(row);
  }

  remember(row: Row): void {
    // The row may have got another external_id since.
    this.byExternalId.delete(this.byId.get(row.id)?.external_id);
    this.byId.set(row.id, row);
    this.byExternalId.set(row.external_id, row);
  }

  /** The record of an upsert that was not there in `prepare`; locked and remembered if it is there now. */
  async findLate(body: Body): Promise<Row | undefined> {
    const externalId = externalIdOf(body);
    if (this.options.mode !== 'upsert' || body.id != null || externalId === undefined) return undefined;
    await this.lock('external_id', [externalId]);
    // The database takes keys that differ in blanks at the end for the same.
    return this.byExternalId.get(externalId);
  }

  has(externalId: string): boolean {
    return this.byExternalId.has(externalId);
  }

  /** The record that the row is to change; undefined: the row is to add one. Throws Problem. */
  find(body: Body): Row | undefined {
    const { mode } = this.options;
    const { id } = body;
    if (mode === 'insert') return undefined;
    if (id != null) {
      if (!isId(id)) throw new Problem(violation('primary_id_invalid'));
      return this.byId.get(id) ?? unknown('id', id);
    }
    const externalId = externalIdOf(body);
    const row = externalId === undefined ? undefined : this.byExternalId.get(externalId);
    if (row || mode === 'upsert') return row;
    if (externalId === undefined) throw new Problem(violation('primary_id_missing'));
    return unknown('external_id', externalId);
  }
}

/** The external_id of a row; undefined: the row has none. */
export const externalIdOf = ({ external_id }: Body): string | undefined =>
  typeof external_id === 'string' && external_id !== '' ? external_id : undefined;

function unknown(field: string, value: unknown): never {
  throw new Problem(violation('record_unknown', { field, value }));
}
