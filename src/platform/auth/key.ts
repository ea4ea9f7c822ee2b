// API keys of third parties: the endpoints that a key may use, and the secret that signs its callbacks. The key itself
// is shown once and stored as a hash.
import { randomUUID } from 'node:crypto';
import type { QueryBuilder } from 'objection';
import { form } from '../../core/model/bodies/form.ts';
import { varchar } from '../../core/model/fields/field.ts';
import { BaseModel } from '../../core/model/statements/base-model.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';
import { PATTERN } from './permission.ts';
import { digest, opens, randomSecret, seal } from './secret.ts';
import { Token } from './token.ts';

export class ApiKey extends BaseModel {
  static override tableName = 'api_keys';
  declare id: number;
  declare party: string;
  declare key_hash: string;
  /** JSON: the patterns of the endpoints. */
  declare allow: string;
  /** Sealed under the signing secret. */
  declare webhook_secret: string;
  declare created_at: string;
  declare revoked_at: string | null;
}

interface NewKey {
  id: number;
  api_key: string;
  webhook_secret: string;
}

const PARTY = form('key', { party: varchar(100, { required: true }) });

/** Makes a key; without patterns it may use everything. Throws on a malformed pattern; Problem on an empty party. */
export async function createKey(
  session: Session,
  signingSecret: string,
  { party, allow }: { party: string; allow: readonly string[] },
): Promise<NewKey> {
  const wrong = allow.find((pattern) => !PATTERN.test(pattern));
  if (wrong !== undefined)
    throw new Error(`"${wrong}" is no pattern such as "GET /order", "* /contact" or "*"`);
  const { party: name } = PARTY.read({ party: party.trim() });
  const [api_key, webhook_secret] = [randomUUID(), randomSecret()];
  const { id } = await ApiKey.query(session.knex).insert({
    party: name,
    key_hash: digest(api_key),
    allow: JSON.stringify(allow.length > 0 ? allow : ['*']),
    webhook_secret: seal(signingSecret, webhook_secret),
    created_at: databaseNow(),
  });
  return { id, api_key, webhook_secret };
}

/** The query for the ID of a key. Finds nothing if there is no such key, or if it is revoked. */
export const keyLike = ({ knex }: Session, apiKey: string): QueryBuilder<ApiKey> =>
  ApiKey.query(knex).select('id').where('key_hash', digest(apiKey.toLowerCase())).whereNull('revoked_at');

/** All keys, without their secrets. */
export const listKeys = (session: Session): Promise<ApiKey[]> =>
  ApiKey.query(session.knex)
    .select('id', 'party', 'allow', 'created_at', 'revoked_at')
    .orderBy('id')
    .execute();

/** Revokes a key and ends its tokens. False: there is no such key, or it is revoked already. */
export async function revokeKey(session: Session, id: number): Promise<boolean> {
  const revoked = await ApiKey.query(session.knex)
    .patch({ revoked_at: databaseNow() })
    .where('id', id)
    .whereNull('revoked_at');
  await Token.ofAllOwners('login', session).delete().where('api_key_id', id);
  return revoked > 0;
}

/** The secrets that sign the callbacks of keys, sealed, by the IDs of the keys. */
export async function sealedWebhookSecrets(
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const keys = await ApiKey.query(session.knex)
    .select('id', 'webhook_secret')
    .whereIn('id', [...new Set(ids)]);
  return new Map(keys.map(({ id, webhook_secret }) => [id, webhook_secret]));
}

/** Why callbacks can't be signed; undefined: all is well. It goes on from "the signing secret". */
export async function secretProblem(session: Session, signingSecret: string): Promise<string | undefined> {
  const locked = await lockedKeys(session, signingSecret);
  if (locked.length === 0) return undefined;
  return `is not the one of the keys ${locked.join(', ')}: their callbacks can't be signed`;
}

/** The IDs of keys, not revoked, whose webhook secret was sealed under another signing secret. */
export async function lockedKeys(session: Session, signingSecret: string): Promise<number[]> {
  const keys = await ApiKey.query(session.knex)
    .select('id', 'webhook_secret')
    .whereNull('revoked_at')
    .orderBy('id');
  return keys.filter(({ webhook_secret }) => !opens(signingSecret, webhook_secret)).map(({ id }) => id);
}
