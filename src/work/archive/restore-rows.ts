// Writes the records of a backup, one file after the other, so that referenced records come first. Each record gets a
// new ID, and references change with it. A reference to a later record is null at first and filled in afterwards.

import type { Row } from '../../core/model/fields/field.ts';
import { lockRecord } from '../../core/model/lists/find.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { resourceNamed } from '../../core/model/records/registry.ts';
import { keepsFolded } from '../../core/model/records/search-text.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { isConflict } from '../../core/model/statements/retried.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { changeRow, insertRows } from '../../core/model/writes/write.ts';
import { Employee } from '../../core/resources/employee.ts';
import { usernamesOf } from '../../core/trade/identity/username.ts';
import { expectedFailure } from '../../platform/job-failure.ts';
import type { ArchivedFile } from '../../platform/zip/write.ts';
import type { Ids } from './ids.ts';
import { type Archive, BadArchive } from './read.ts';
import { readRecords } from './records.ts';
import { linksOf, type Shared, type Translate, translateCopy } from './references.ts';

/** An employee whose username was taken, and the username. */
export interface Unnamed {
  readonly id: number;
  readonly username: string;
}

/** A reference that is null until its record is written. */
interface Late {
  readonly resource: Resource;
  readonly field: string;
  /** The new ID of the record that has the reference. */
  readonly id: number;
  readonly to: string;
  readonly value: number;
}

/** Writes one owner, in one transaction. */
export class Restoration {
  readonly unnamed: Unnamed[] = [];
  private owner = 0;
  private done = 0;
  private late: Late[] = [];
  /** New IDs by resource, at the index of the old ID. */
  private readonly written = new Map<string, Int32Array>();
  private readonly session: Session;
  private readonly archive: Archive;
  private readonly ids: ReadonlyMap<string, Ids>;
  private readonly shared: Shared;
  private readonly onProgress: (done: number) => void;

  constructor(
    session: Session,
    archive: Archive,
    ids: ReadonlyMap<string, Ids>,
    shared: Shared,
    onProgress: (done: number) => void,
  ) {
    this.session = session;
    this.archive = archive;
    this.ids = ids;
    this.shared = shared;
    this.onProgress = onProgress;
  }

  /** Call this first. Updates the `given` owner or inserts a new one. */
  async writeOwner(resource: Resource, file: ArchivedFile, given: number | undefined): Promise<number> {
    for await (const { rows } of readRecords(this.archive, file, resource)) {
      for (const row of rows) this.translateRow(resource, row);
      const records = rows.map((row) => written(row, resource));
      if (given === undefined) {
        await this.insert(resource, file, records);
        this.owner = Number(records[0]?.id);
      } else {
        this.owner = given;
        await this.replaceOwner(resource, records[0] ?? {});
      }
    }
    this.written.set(resource.name, Int32Array.of(this.owner));
    this.done += 1;
    return this.owner;
  }

  private async replaceOwner(resource: Resource, row: Row): Promise<void> {
    const before = await lockRecord(garageOf(this.session, this.owner), resource, this.owner);
    if (!before) throw new Error('The owner is gone');
    await changeRow(garageOf(this.session, this.owner), resource, {
      previous: before,
      next: { ...before, ...row },
    });
  }

  async write(resource: Resource, file: ArchivedFile): Promise<void> {
    const newIds = new Int32Array(this.ids.get(resource.name)?.length ?? 0);
    this.written.set(resource.name, newIds);
    let place = 0;
    for await (const { rows } of readRecords(this.archive, file, resource)) {
      const taken = resource.name === 'employee' ? await this.giveUpUsernames(rows) : [];
      const pending = rows.map((row) => this.translateRow(resource, row));
      const records = rows.map((row) => written(row, resource));
      await this.insert(resource, file, records);
      const ids = records.map(({ id }) => Number(id));
      newIds.set(ids, place);
      place += ids.length;
      ids.forEach((id, index) => {
        for (const late of pending[index] ?? []) this.late.push({ ...late, resource, id });
        const username = taken[index];
        if (username !== undefined) this.unnamed.push({ id, username });
      });
      await this.fillIn();
      this.done += rows.length;
      this.onProgress(this.done);
    }
  }

  /** Call this last. */
  async finish(): Promise<void> {
    await this.fillIn();
    if (this.late.length > 0) throw new Error('A reference has no record');
  }

  private readonly translate: Translate = (resource, id) => {
    const shared = this.shared.get(resource);
    if (shared) return shared.has(id) ? id : undefined;
    return this.written.get(resource)?.[this.ids.get(resource)?.indexOf(id) ?? -1] || undefined;
  };

  /** Gives references their new IDs. Sets references without a new ID to null and returns them. */
  private translateRow(resource: Resource, row: Row): Pick<Late, 'field' | 'to' | 'value'>[] {
    const late: Pick<Late, 'field' | 'to' | 'value'>[] = [];
    const { references, copies } = linksOf(resource);
    for (const [field, to] of references) {
      if (row[field] === null) continue;
      const value = Number(row[field]);
      row[field] = this.translate(to, value) ?? null;
      if (row[field] === null) late.push({ field, to, value });
    }
    for (const [field, of] of copies)
      row[field] = translateCopy(String(row[field]), resourceNamed(of), this.translate);
    return late;
  }

  /** Fills in the references to records that have been written by now. */
  private async fillIn(): Promise<void> {
    const left: Late[] = [];
    for (const late of this.late) {
      const { resource, field, id, to, value } = late;
      const found = this.translate(to, value);
      if (found === undefined) left.push(late);
      else
        await resource.model
          .of(garageOf(this.session, this.owner))
          .patch({ [field]: found, ...keepsFolded(resource) })
          .where('id', id);
    }
    this.late = left;
  }

  /** Removes usernames that are taken, and returns them by index. Usernames are unique over all owners. */
  private async giveUpUsernames(rows: readonly Row[]): Promise<(string | undefined)[]> {
    const names = rows.flatMap(({ username }) => (username == null ? [] : usernamesOf(String(username))));
    const found = await Employee.ofAllOwners('restore', this.session)
      .select('username')
      .whereIn('username', names);
    const taken = new Set<unknown>(found.map(({ username }) => username));
    return rows.map((row) => {
      const { username = null } = row;
      if (username === null || !usernamesOf(String(username)).some((name) => taken.has(name)))
        return undefined;
      row.username = null;
      return String(username);
    });
  }

  private async insert(resource: Resource, file: ArchivedFile, rows: readonly Row[]): Promise<void> {
    try {
      await insertRows(garageOf(this.session, this.owner), resource, rows, { logged: 'now' });
    } catch (error) {
      const { sqlMessage } = error as { sqlMessage?: string };
      // The transaction runs again after a conflict.
      if (sqlMessage === undefined || isConflict(error)) throw error;
      // Only the keys of the database check uniqueness.
      throw expectedFailure(error) ?? new BadArchive(file.path, sqlMessage);
    }
  }
}

/** All columns of a backup except the ID. Hidden columns keep their defaults until `afterRestore` sets them. */
const written = (row: Row, { columns }: Resource): Row =>
  Object.fromEntries(
    columns.filter((column) => column !== 'id').map((column) => [column, row[column] ?? null]),
  );
