// One attempt to call a webhook back. Attempts are only ever added.
import type { Modifiers } from 'objection';
import { Table } from '../model/prepared.ts';

export class JobCallback extends Table {
  static override tableName = 'job_callbacks';
  declare id: number;
  declare job_id: string;
  declare at: string;
  /** The HTTP status; null: there was no answer. */
  declare status: number | null;
  declare error: string | null;

  static override get modifiers(): Modifiers {
    return { oldestFirst: (query) => query.orderBy('id') };
  }
}
