// Idempotency-Key: a POST that is sent again with the same key gets the first answer again.

import { problem } from '../core/errors.ts';
import type { Session } from '../core/model/statements/session.ts';
import {
  findAnswer,
  findKept,
  type KeptAnswer,
  type KeyedRequest,
  keepAnswer,
} from '../core/model/writes/idempotency-key.ts';
import { keyedDigest, seal, unseal } from '../platform/auth/secret.ts';
import { readClock } from '../platform/database/clock.ts';
import type { Answer } from './answer.ts';
import type { Call } from './endpoint.ts';

const VISIBLE = /^[!-~]{1,255}$/;

interface Options {
  /** The answer holds a secret: it is stored sealed. */
  readonly secret?: boolean;
}

/** Runs `work` in a transaction, and only once for each Idempotency-Key. */
export async function once(
  call: Call,
  body: unknown,
  work: (session: Session) => Promise<Answer>,
  { secret = false }: Options = {},
): Promise<Answer> {
  const { database, signingSecret } = call.services;
  const request = readKey(call, body);
  if (!request) return database.transaction(work, call.actor);
  return database.transaction(async (session) => {
    const known = await findAnswer(session, request, mayEnd(call));
    if (known) return replayed(secret ? { ...known, body: unseal(signingSecret, known.body) } : known);
    const answer = await work(session);
    const { status, headers = {} } = answer;
    const text = String(answer.body);
    await keepAnswer(session, request, {
      status,
      headers,
      body: secret ? seal(signingSecret, text) : text,
    });
    return answer;
  }, call.actor);
}

/**
 * The first answer to a request with the same Idempotency-Key, for requests whose bodies are judged before `once`. What
 * was good then may be bad now, such as a name that leads elsewhere. Undefined: none is kept, or there is no key.
 */
export async function firstAnswer(call: Call): Promise<Answer | undefined> {
  const request = readKey(call, call.body);
  const known = request && (await findKept(call.services.database, request, mayEnd(call)));
  return known && replayed(known);
}

/** While the clock may be wrong, an age says nothing. */
const mayEnd =
  ({ services }: Call) =>
  async (): Promise<boolean> =>
    (await readClock(services.database)).waitMs === 0;

const replayed = ({ status, headers, body }: KeptAnswer): Answer => ({
  status,
  body,
  headers: { ...headers, 'Idempotent-Replayed': 'true' },
});

function readKey({ ctx, identity, services }: Call, body: unknown): KeyedRequest | undefined {
  const header = ctx.req.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !VISIBLE.test(header)) {
    const reason = 'value must be 1 to 255 visible ASCII characters';
    throw problem('parameter_invalid', { field: 'Idempotency-Key', reason });
  }
  return {
    scope: { owner_id: identity.owner, api_key_id: identity.apiKey, idempotency_key: header },
    hash: keyedDigest(
      services.signingSecret,
      JSON.stringify([ctx.method, ctx.path.replace(/\/$/, ''), body]),
    ),
  };
}
