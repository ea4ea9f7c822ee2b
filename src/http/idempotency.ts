// Idempotency-Key: a POST that is sent again with the same key gets the first answer again. The key and the work commit
// in one transaction, so that a crash leaves both or neither.
import { digest, seal, unseal } from '../auth/secret.ts';
import { problem } from '../errors.ts';
import { BaseModel } from '../model/base-model.ts';
import type { Session } from '../model/session.ts';
import { databaseNow, databaseTime } from '../trade/timestamp.ts';
import type { Answer } from './answer.ts';
import type { Call } from './endpoint.ts';

const VALID_MS = 24 * 3600 * 1000;
const VISIBLE = /^[!-~]{1,255}$/;

/** A key and the answer that its first request got. */
class IdempotencyKey extends BaseModel {
  static override tableName = 'idempotency_keys';
  static override idColumn = ['owner_id', 'api_key_id', 'idempotency_key'];
  declare owner_id: number;
  declare api_key_id: number;
  declare idempotency_key: string;
  declare request_hash: string;
  declare status: number;
  /** JSON. */
  declare headers: string;
  declare body: string;
  declare created_at: string;
}

export interface OnceOptions {
  /** The answer holds a secret: it is stored sealed. */
  readonly secret?: boolean;
}

interface Key {
  readonly scope: Pick<IdempotencyKey, 'owner_id' | 'api_key_id' | 'idempotency_key'>;
  /** A digest of method, path and body: another request with the same key is refused. */
  readonly request: string;
}

/** Runs `work` in a transaction, and only once for each Idempotency-Key. */
export async function once(
  call: Call,
  body: unknown,
  work: (session: Session) => Promise<Answer>,
  { secret = false }: OnceOptions = {},
): Promise<Answer> {
  const { database, signingSecret } = call.services;
  const key = readKey(call, body);
  if (!key) return database.transaction(work, call.actor);
  return database.transaction(async (session) => {
    const known = await findAnswer(session, key);
    if (known) return secret ? { ...known, body: unseal(signingSecret, String(known.body)) } : known;
    await reserve(session, key);
    const answer = await work(session);
    const kept = secret ? { ...answer, body: seal(signingSecret, String(answer.body)) } : answer;
    await keepAnswer(session, key, kept);
    return answer;
  }, call.actor);
}

function readKey({ ctx, identity }: Call, body: unknown): Key | undefined {
  const header = ctx.req.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !VISIBLE.test(header)) {
    const reason = 'value must be 1 to 255 visible ASCII characters';
    throw problem('parameter_invalid', { field: 'Idempotency-Key', reason });
  }
  return {
    scope: { owner_id: identity.owner, api_key_id: identity.apiKey, idempotency_key: header },
    request: digest(JSON.stringify([ctx.method, ctx.path.replace(/\/$/, ''), body])),
  };
}

async function findAnswer(session: Session, { scope, request }: Key): Promise<Answer | undefined> {
  const known = await readReservation(session, scope);
  if (!known) return undefined;
  if (known.created_at < databaseTime(new Date(Date.now() - VALID_MS))) {
    await IdempotencyKey.query(session.knex).delete().where(scope);
    return undefined;
  }
  if (known.request_hash !== request) throw problem('idempotency_key_reused');
  return {
    status: known.status,
    body: known.body,
    headers: { ...(JSON.parse(known.headers) as Record<string, string>), 'Idempotent-Replayed': 'true' },
  };
}

/** A locked row belongs to another transaction: the first request still runs. */
async function readReservation(session: Session, scope: Key['scope']): Promise<IdempotencyKey | undefined> {
  try {
    return await IdempotencyKey.query(session.knex).findOne(scope).forUpdate().noWait();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ER_LOCK_WAIT_TIMEOUT' || code === 'ER_LOCK_NOWAIT')
      throw problem('idempotency_key_running');
    throw error;
  }
}

async function reserve(session: Session, { scope, request }: Key): Promise<void> {
  const empty = { status: 0, headers: '{}', body: '' };
  try {
    await IdempotencyKey.query(session.knex).insert({
      ...scope,
      ...empty,
      request_hash: request,
      created_at: databaseNow(),
    });
  } catch (error) {
    // Another request with this key committed after this one looked.
    if ((error as { code?: string }).code === 'ER_DUP_ENTRY') throw problem('idempotency_key_running');
    throw error;
  }
}

async function keepAnswer(
  session: Session,
  { scope }: Key,
  { status, body, headers = {} }: Answer,
): Promise<void> {
  const answer = { status, headers: JSON.stringify(headers), body: String(body) };
  await IdempotencyKey.query(session.knex).patch(answer).where(scope);
}
