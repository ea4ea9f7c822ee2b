// Idempotency-Key: a POST that is sent again with the same key gets the first answer again. The key and the work commit
// in one transaction, so that a crash leaves both or neither.
import { digest } from '../auth/secret.ts';
import { problem } from '../errors.ts';
import type { Row } from '../model/field.ts';
import type { Session } from '../model/session.ts';
import { databaseNow, databaseTime } from '../trade/timestamp.ts';
import type { Answer } from './answer.ts';
import type { Call } from './endpoint.ts';

const VALID_MS = 24 * 3600 * 1000;
const VISIBLE = /^[!-~]{1,255}$/;

interface Key {
  readonly scope: readonly [owner: number, apiKey: number, key: string];
  /** A digest of method, path and body: another request with the same key is refused. */
  readonly request: string;
}

/** Runs `work` in a transaction, and only once for each Idempotency-Key. */
export async function once(
  call: Call,
  body: unknown,
  work: (session: Session) => Promise<Answer>,
): Promise<Answer> {
  const { database } = call.parts;
  const key = readKey(call, body);
  if (!key) return database.transaction(work);
  return database.transaction(async (session) => {
    const known = await findAnswer(session, key);
    if (known) return known;
    await reserve(session, key);
    const answer = await work(session);
    await keepAnswer(session, key, answer);
    return answer;
  });
}

function readKey({ ctx, identity }: Call, body: unknown): Key | undefined {
  const header = ctx.req.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !VISIBLE.test(header)) {
    const reason = 'value must be 1 to 255 visible ASCII characters';
    throw problem('parameter_invalid', { field: 'Idempotency-Key', reason });
  }
  return {
    scope: [identity.owner, identity.apiKey, header],
    request: digest(JSON.stringify([ctx.method, ctx.path.replace(/\/$/, ''), body])),
  };
}

async function findAnswer(session: Session, { scope, request }: Key): Promise<Answer | undefined> {
  const [row] = await readReservation(session, scope);
  if (!row) return undefined;
  if (String(row.created_at) < databaseTime(new Date(Date.now() - VALID_MS))) {
    await session.run(`DELETE FROM idempotency_keys WHERE ${SCOPE}`, scope);
    return undefined;
  }
  if (row.request_hash !== request) throw problem('idempotency_key_reused');
  return {
    status: Number(row.status),
    body: String(row.body),
    headers: {
      ...(JSON.parse(String(row.headers)) as Record<string, string>),
      'Idempotent-Replayed': 'true',
    },
  };
}

const SCOPE = 'owner_id = ? AND api_key_id = ? AND idempotency_key = ?';

/** A locked row belongs to another transaction: the first request still runs. */
async function readReservation(session: Session, scope: Key['scope']): Promise<Row[]> {
  try {
    return await session.rows(
      `SELECT request_hash, status, headers, body, created_at FROM idempotency_keys WHERE ${SCOPE} FOR UPDATE NOWAIT`,
      scope,
    );
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ER_LOCK_WAIT_TIMEOUT' || code === 'ER_LOCK_NOWAIT')
      throw problem('idempotency_key_running');
    throw error;
  }
}

async function reserve(session: Session, { scope, request }: Key): Promise<void> {
  try {
    await session.run(
      'INSERT INTO idempotency_keys (owner_id, api_key_id, idempotency_key, request_hash, status, headers, body, created_at) ' +
        "VALUES (?, ?, ?, ?, 0, '{}', '', ?)",
      [...scope, request, databaseNow()],
    );
  } catch (error) {
    // Another request with this key committed after this one looked.
    if ((error as { code?: string }).code === 'ER_DUP_ENTRY') throw problem('idempotency_key_running');
    throw error;
  }
}

async function keepAnswer(
  session: Session,
  { scope }: Key,
  { status, body, headers }: Answer,
): Promise<void> {
  await session.run(`UPDATE idempotency_keys SET status = ?, headers = ?, body = ? WHERE ${SCOPE}`, [
    status,
    JSON.stringify(headers ?? {}),
    String(body),
    ...scope,
  ]);
}
