// The commands `forecourt key create`, `key list` and `key revoke`.
import { instant } from '../core/trade/time/timestamp.ts';
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
    const { createKey } = await import('../platform/auth/key.ts');
    const { fittingNothing, refuseUseless } = await import('./key-pattern.ts');
    refuseUseless(allow);
    const key = await createKey(database, signingSecret, { party, allow });
    const warnings = fittingNothing(allow).map((pattern) => `"${pattern}" fits no endpoint`);
    const text = `Key ${key.id} was made. This is shown once:\n  API key         ${key.api_key}\n  webhook secret  ${key.webhook_secret}`;
    return {
      json: warnings.length > 0 ? { ...key, warnings } : key,
      text: [text, ...warnings.map((warning) => `Warning: ${warning}`)].join('\n'),
    };
  },
});

export const keyList = command({
  words: 'key list',
  summary: 'List the API keys with their parties and allowed endpoints',
  example: 'key list',
  run: async ({ database }) => {
    const { listKeys } = await import('../platform/auth/key.ts');
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
    const { revokeKey } = await import('../platform/auth/key.ts');
    const { blockSubscriptionsOf } = await import('../work/events/subscription-block.ts');
    const id = parseWholeNumber('id', word);
    const blocked = await database.transaction(async (session) => {
      if (!(await revokeKey(session, id))) throw new Error(`There is no active key ${id}`);
      return blockSubscriptionsOf(session, id);
    });
    const text = `Key ${id} is revoked; its tokens end within a second. Blocked webhook subscriptions: ${blocked.length}.`;
    return { json: { id, revoked: true, blocked_subscriptions: blocked }, text };
  },
});
