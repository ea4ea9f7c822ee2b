// One attempt to call a webhook back. Attempts are only ever added.
import type { Modifiers } from 'objection';
import { BaseModel } from '../model/base-model.ts';

export class JobCallback extends BaseModel {
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
