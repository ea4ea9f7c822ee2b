// Medians, percentiles, and whether a target is met.

/** The smallest value of an ascending list that at least this share of the values does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((first, second) => first - second);
  const middle = sorted.length / 2;
  if (Number.isInteger(middle))
    return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
  return sorted[Math.floor(middle)] ?? Number.NaN;
}

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}

export const spread = (values: readonly number[]): Spread => ({
  median: median(values),
  least: Math.min(...values),
  greatest: Math.max(...values),
});

export type Bound = { readonly most: number } | { readonly least: number };
export type Outcome = 'met' | 'missed' | 'within the noise';

/** A target is met or missed only if all rounds say so. */
export function judge({ least, greatest }: Spread, bound: Bound): Outcome {
  const [isMet, isMissed] =
    'most' in bound
      ? [greatest <= bound.most, least > bound.most]
      : [least >= bound.least, greatest < bound.least];
  return isMet ? 'met' : isMissed ? 'missed' : 'within the noise';
}
