// How a journal is written: the format of a program of accountants, or CSV.
import type { Entry } from './entries.ts';
import type { Scope } from './scope.ts';

export const JOURNAL_FORMATS = ['csv', 'snelstart', 'exact', 'twinfield', 'xaf'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

export const DECIMALS = ['.', ','] as const;

export interface JournalForm {
  readonly format: JournalFormat;
  /** Of CSV. `,`: also `;` between cells, and days as DD-MM-YYYY. */
  readonly decimal: (typeof DECIMALS)[number];
  /** 1: texts that look like formulas stay as they are. */
  readonly raw: number;
}

/** Writes the text of a journal. Calls `count` for each entry that is written. */
export type WriteJournal = (
  scope: Scope,
  form: JournalForm,
  count: (entry: Entry) => void,
) => AsyncGenerator<string>;
