// The commands `forecourt key create`, `key list` and `key revoke`.
import { createKey, listKeys, revokeKey } from '../auth/key.ts';
import { allowance, isUpToKey } from '../auth/permission.ts';
import { blockSubscriptionsOf } from '../events/subscription-block.ts';
import { operationsOf } from '../http/endpoint.ts';
import { endpoints } from '../http/endpoints/table.ts';
import { instant } from '../trade/time/timestamp.ts';
import { command, parseWholeNumber, required, several } from './command.ts';

export const keyCreate = command({
  words: 'key create',
  summary: 'Create an API key for a third party, and show it once',
  options: {
    party: required('--party <name>', 'the third party'),
    allow: several(
      '--allow <pattern...>',
      "allowed endpoints: 'GET /order', '* /contact', '*' (default: all)",
    ),
  },
  example: "key create --party planner --allow 'GET /order' --allow '* /contact'",
  run: async ({ database, signingSecret }, { party, allow }) => {
    refuseUseless(allow);
    const key = await createKey(database, signingSecret, { party, allow });
    const warnings = allow
      .filter((pattern) => endpointsOf(pattern).length === 0)
      .map((pattern) => `"${pattern}" fits no endpoint`);
    const text = `Key ${key.id} was made. This is shown once:\n  API key         ${key.api_key}\n  webhook secret  ${key.webhook_secret}`;
    return {
      json: warnings.length > 0 ? { ...key, warnings } : key,
      text: [text, ...warnings.map((warning) => `Warning: ${warning}`)].join('\n'),
    };
  },
});

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
function refuseUseless(patterns: readonly string[]): void {
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

export const keyList = command({
  words: 'key list',
  summary: 'List the API keys with their parties and allowed endpoints',
  example: 'key list',
  run: async ({ database }) => {
    const keys = (await listKeys(database)).map(({ id, party, allow, created_at, revoked_at }) => ({
      id,
      party,
      allow: JSON.parse(allow) as string[],
      created_at: instant(created_at),
      revoked_at: instant(revoked_at),
    }));
    const lines = keys.map(
      ({ id, party, allow, revoked_at }) =>
        `  ${String(id).padEnd(6)}${party.padEnd(24)}${revoked_at === null ? '' : 'REVOKED  '}${allow.join(', ')}`,
    );
    return { json: { keys }, text: lines.length === 0 ? 'There is no key.' : lines.join('\n') };
  },
});

export const keyRevoke = command({
  words: 'key revoke <id>',
  summary: 'Revoke an API key and all its tokens, and block its webhook subscriptions',
  example: 'key revoke 3',
  run: async ({ database }, _options, [word]) => {
    const id = parseWholeNumber('id', word);
    const blocked = await database.transaction(async (session) => {
      if (!(await revokeKey(session, id))) throw new Error(`There is no active key ${id}`);
      return blockSubscriptionsOf(session, id);
    });
    const text = `Key ${id} is revoked; its tokens end within a second. Blocked webhook subscriptions: ${blocked.length}.`;
    return { json: { id, revoked: true, blocked_subscriptions: blocked }, text };
  },
});
