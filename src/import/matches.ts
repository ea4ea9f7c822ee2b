// The records that the rows of a batch match: by `id`, or else by `external_id`. All are found and locked at the beginning;
// what the rows add and change is remembered, since later rows may match it.
import { Problem, violation } from '../errors.ts';
import type { Body } from '../model/check.ts';
import type { Row, Stored } from '../model/field.ts';
import { lockRecords } from '../model/find.ts';
import type { Session } from '../model/session.ts';
import type { ImportOptions } from './import-options.ts';

export const KEY = 'external_id';
const LARGEST_ID = 2147483647;

export class Matches {
  private readonly session: Session;
  private readonly options: ImportOptions;
  private readonly byId = new Map<number, Row>();
  private readonly byKey = new Map<string, Row>();

  constructor(session: Session, options: ImportOptions) {
    this.session = session;
    this.options = options;
  }

  async prepare(bodies: readonly Body[]): Promise<void> {
    if (this.options.mode === 'insert') return;
    const ids = bodies.map(({ id }) => id).filter(isId);
    await this.lock('id', ids);
    await this.lock(
      KEY,
      bodies.flatMap((body) => keyOf(body) ?? []),
    );
  }

  private async lock(column: 'id' | typeof KEY, values: readonly Stored[]): Promise<void> {
    const { resource, actor } = this.options;
    const wanted = [...new Set(values)];
    if (wanted.length === 0) return;
    const rows = await lockRecords(this.session, resource, actor.owner, column, wanted);
    for (const row of rows) this.remember(row);
  }

  remember(row: Row): void {
    const id = Number(row.id);
    // The row may have got another key since.
    this.byKey.delete(String(this.byId.get(id)?.[KEY]));
    this.byId.set(id, row);
    const key = row[KEY] ?? null;
    if (key !== null) this.byKey.set(String(key), row);
  }

  has(key: string): boolean {
    return this.byKey.has(key);
  }

  /** The record that the row is to change; undefined: the row is to add one. Throws Problem. */
  find(body: Body): Row | undefined {
    const { mode } = this.options;
    const { id } = body;
    if (mode === 'insert') return undefined;
    if (id != null) {
      if (!isId(id)) throw new Problem([violation('primary_id_invalid')]);
      return this.byId.get(id) ?? unknown('id', id);
    }
    const key = keyOf(body);
    const row = key === undefined ? undefined : this.byKey.get(key);
    if (row || mode === 'upsert') return row;
    if (key === undefined) throw new Problem([violation('primary_id_missing')]);
    return unknown(KEY, key);
  }
}

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= LARGEST_ID;

/** The external_id of a row; undefined: the row has none. */
export const keyOf = ({ [KEY]: key }: Body): string | undefined =>
  typeof key === 'string' && key !== '' ? key : undefined;

function unknown(field: string, value: unknown): never {
  throw new Problem([violation('record_unknown', { field, value })]);
}
