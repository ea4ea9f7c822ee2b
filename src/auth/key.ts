// Keys of third parties: what each may use, and the secret that signs its callbacks. The key itself is shown
// once and kept as a hash.
import { randomUUID } from 'node:crypto';
import { type Row, varchar } from '../model/field.ts';
import { form } from '../model/form.ts';
import type { Session } from '../model/session.ts';
import { databaseNow } from '../trade/timestamp.ts';
import { PATTERN } from './permission.ts';
import { digest, randomSecret, seal, unseal } from './secret.ts';

export interface NewKey {
  id: number;
  api_key: string;
  webhook_secret: string;
}

const PARTY = form('key', { party: varchar(100, { required: true }) });

/** Makes a key; no pattern at all is everything. Throws on a malformed pattern, and Problem on a party without name. */
export async function createKey(
  session: Session,
  signingSecret: string,
  { party, allow }: { party: string; allow: readonly string[] },
): Promise<NewKey> {
  const wrong = allow.find((pattern) => !PATTERN.test(pattern));
  if (wrong !== undefined)
    throw new Error(`"${wrong}" is no pattern such as "GET /order", "* /contact" or "*"`);
  PARTY.read({ party: party.trim() });
  const [api_key, webhook_secret] = [randomUUID(), randomSecret()];
  const { insertId } = await session.run(
    'INSERT INTO api_keys (party, key_hash, allow, webhook_secret, created_at) VALUES (?, ?, ?, ?, ?)',
    [
      party,
      digest(api_key),
      JSON.stringify(allow.length > 0 ? allow : ['*']),
      seal(signingSecret, webhook_secret),
      databaseNow(),
    ],
  );
  return { id: insertId, api_key, webhook_secret };
}

/** The key's ID, if it exists and is not revoked. */
export async function findKey(session: Session, apiKey: string): Promise<number | undefined> {
  const [row] = await session.rows('SELECT id FROM api_keys WHERE key_hash = ? AND revoked_at IS NULL', [
    digest(apiKey.toLowerCase()),
  ]);
  return row && Number(row.id);
}

/** All keys, for the operator: party, patterns, dates; never a secret. */
export const listKeys = (session: Session): Promise<Row[]> =>
  session.rows('SELECT id, party, allow, created_at, revoked_at FROM api_keys ORDER BY id', []);

/** Ends a key and its tokens. Answers whether there was such a key, not revoked yet. */
export async function revokeKey(session: Session, id: number): Promise<boolean> {
  const { affectedRows } = await session.run(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
    [databaseNow(), id],
  );
  await session.run('DELETE FROM tokens WHERE api_key_id = ?', [id]);
  return affectedRows > 0;
}

export async function webhookSecret(session: Session, signingSecret: string, keyId: number): Promise<string> {
  const [row] = await session.rows('SELECT webhook_secret FROM api_keys WHERE id = ?', [keyId]);
  return unseal(signingSecret, String(row?.webhook_secret));
}

/** The IDs of the keys in use whose webhook secret was sealed under another signing secret. */
export async function lockedKeys(session: Session, signingSecret: string): Promise<number[]> {
  const rows = await session.rows(
    'SELECT id, webhook_secret FROM api_keys WHERE revoked_at IS NULL ORDER BY id',
    [],
  );
  const opens = (sealed: string) => {
    try {
      return unseal(signingSecret, sealed) !== '';
    } catch {
      return false;
    }
  };
  return rows.filter(({ webhook_secret }) => !opens(String(webhook_secret))).map(({ id }) => Number(id));
}
