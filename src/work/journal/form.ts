// The form of a journal: CSV, or the format of a bookkeeping program.
import type { Entry } from './entries.ts';
import type { Scope } from './scope.ts';

/** The name of the export, and of its file. */
export const JOURNAL = 'journal';

export const JOURNAL_FORMATS = ['csv', 'snelstart', 'exact', 'twinfield', 'xaf'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

export const DECIMALS = ['.', ','] as const;

export interface JournalForm {
  readonly format: JournalFormat;
  /** For CSV. With `,` the cells are separated by `;`, and days are written as DD-MM-YYYY. */
  readonly decimal: (typeof DECIMALS)[number];
  /** 1: texts that look like formulas stay as they are. */
  readonly raw: number;
  /** Out of JOURNALS. */
  readonly journals: readonly string[];
}

/** Writes the text of a journal. Calls `count` for each entry. */
export type WriteJournal = (
  scope: Scope,
  form: JournalForm,
  count: (entry: Entry) => void,
) => AsyncGenerator<string>;
