// The bounds of an `int4`.

export const INT4_MIN = -2147483648;
/** The largest `int4`, and so the largest ID. */
export const INT4_MAX = 2147483647;
