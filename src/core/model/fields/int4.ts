// The bounds of an `int4`, and of an ID.

export const INT4_MIN = -2147483648;
/** The largest `int4`, and so the largest ID. */
export const INT4_MAX = 2147483647;

/** Whether a value of a body can be the ID of a record. */
export const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= INT4_MAX;
