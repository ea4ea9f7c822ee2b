// How a journal is written: the format of a program of accountants, or CSV.
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
