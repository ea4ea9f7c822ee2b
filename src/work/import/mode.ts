// What an import does with a row: adds a record, changes one, or what fits.

export const MODES = ['insert', 'update', 'upsert'] as const;
export type Mode = (typeof MODES)[number];
