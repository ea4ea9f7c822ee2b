// The patterns of `forecourt key create --allow`, compared with the table of endpoints.

import { operationsOf } from '../http/endpoint.ts';
import { endpoints } from '../http/endpoints/table.ts';
import { allowance, isUpToKey } from '../platform/auth/permission.ts';

/** The operations that a pattern names, without those that every key may use. */
function endpointsOf(pattern: string): { method: string; countsAs: string | undefined }[] {
  const allows = allowance([pattern]);
  return endpoints().flatMap((endpoint) =>
    operationsOf(endpoint)
      .filter(([method, { needs }]) => isUpToKey(needs) && allows(method, endpoint.path))
      .map(([method, { countsAs }]) => ({ method, countsAs })),
  );
}

/**
 * Some endpoints count as another endpoint. Throws for a pattern that names only such, if the key may not use those
 * others.
 */
export function refuseUseless(patterns: readonly string[]): void {
  const allows = allowance(patterns);
  for (const pattern of patterns) {
    const named = endpointsOf(pattern);
    const needed = named.flatMap(({ method, countsAs }) =>
      countsAs !== undefined && !allows(method, countsAs) ? `"${method} ${countsAs}"` : [],
    );
    if (named.length > 0 && needed.length === named.length)
      throw new Error(`"${pattern}" allows nothing without ${[...new Set(needed)].join(' and ')}`);
  }
}

/** The patterns that name no endpoint: somebody has mistyped them. */
export const fittingNothing = (patterns: readonly string[]): string[] =>
  patterns.filter((pattern) => endpointsOf(pattern).length === 0);
