// The Idempotency-Keys of requests, each with the answer that the first request got. The key and the work of the
// request commit in one transaction, so that a crash leaves both or neither.
import { problem } from '../../errors.ts';
import { OwnedModel } from '../statements/base-model.ts';
import { dateNoLater, isOlder, now } from '../statements/fragment.ts';
import { retried } from '../statements/retried.ts';
import { columns, type Selected, selected, whole } from '../statements/selected.ts';
import type { Session } from '../statements/session.ts';

const VALID_DAYS = 1;

export class IdempotencyKey extends OwnedModel {
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

export interface KeyedRequest {
  readonly scope: Pick<IdempotencyKey, 'owner_id' | 'api_key_id' | 'idempotency_key'>;
  /** A keyed digest of method, path and body: another request with the same key is refused. */
  readonly hash: string;
}

export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const rowOf = ({ knex }: Pick<Session, 'knex'>, { scope }: Pick<KeyedRequest, 'scope'>) => {
  const { owner_id: owner, ...key } = scope;
  return IdempotencyKey.of({ knex, owner }).where(key);
};

const KNOWN = {
  ...columns(IdempotencyKey, IdempotencyKey.tableName, 'request_hash', 'status', 'headers', 'body'),
  /** 1 if the key may be used anew. */
  is_over: whole(isOlder('created_at', VALID_DAYS)),
};

/** Whether a key may end by its age. Asked only about a key that is old enough. */
type MayEnd = () => Promise<boolean>;

/** The answer that the key's first request got; undefined: this request is the first one, and has the key now. */
export async function findAnswer(
  session: Session,
  request: KeyedRequest,
  mayEnd: MayEnd,
): Promise<KeptAnswer | undefined> {
  const known = await readLocked(session, request);
  if (known && !(await isOver(known, mayEnd))) return answerTo(request, known);
  if (known) await rowOf(session, request).delete();
  await reserve(session, request);
  return undefined;
}

/** The answer that the key's first request got, if that request is over. The key stays free for this request. */
export async function findKept(
  session: Pick<Session, 'knex'>,
  request: KeyedRequest,
  mayEnd: MayEnd,
): Promise<KeptAnswer | undefined> {
  const known = await selected(rowOf(session, request).first(), KNOWN);
  return known && !(await isOver(known, mayEnd)) ? answerTo(request, known) : undefined;
}

const isOver = async ({ is_over }: Selected<typeof KNOWN>, mayEnd: MayEnd): Promise<boolean> =>
  is_over === 1 && (await mayEnd());

/** Throws Problem if the key was used with another request. */
function answerTo({ hash }: KeyedRequest, known: Selected<typeof KNOWN>): KeptAnswer {
  const { request_hash, status, headers, body } = known;
  if (request_hash !== hash) throw problem('idempotency_key_reused');
  return { status, headers: JSON.parse(headers), body };
}

/**
 * Dates answers now that a clock which ran ahead has kept, so that they end in 24 hours. They are not removed: the same
 * request would be done twice. Not to be called while the clock is in doubt.
 */
export const keepNoLonger = ({ knex }: Pick<Session, 'knex'>): Promise<number> =>
  retried(() => dateNoLater(IdempotencyKey.ofAllOwners('tidying', { knex }), 'created_at'));

/**
 * A locked row belongs to another transaction. If the row has no committed answer, the first request still runs;
 * otherwise the same request is being answered once more.
 */
async function readLocked(
  session: Session,
  request: KeyedRequest,
): Promise<Selected<typeof KNOWN> | undefined> {
  try {
    return await selected(rowOf(session, request).first().forUpdate().noWait(), KNOWN);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'ER_LOCK_WAIT_TIMEOUT' && code !== 'ER_LOCK_NOWAIT') throw error;
    const known = await selected(rowOf(session, request).first(), KNOWN);
    if (known?.status && known.is_over !== 1) return known;
    throw problem('idempotency_key_running');
  }
}

async function reserve({ knex }: Session, { scope, hash }: KeyedRequest): Promise<void> {
  const empty = { status: 0, headers: '{}', body: '' };
  try {
    await IdempotencyKey.ofAllOwners('insert', { knex }).insert({
      ...scope,
      ...empty,
      request_hash: hash,
      created_at: now(),
    });
  } catch (error) {
    // Another request with this key committed after this one looked.
    if ((error as { code?: string }).code === 'ER_DUP_ENTRY') throw problem('idempotency_key_running');
    throw error;
  }
}

export async function keepAnswer(
  session: Session,
  request: KeyedRequest,
  { status, headers, body }: KeptAnswer,
): Promise<void> {
  await rowOf(session, request).patch({ status, headers: JSON.stringify(headers), body });
}
