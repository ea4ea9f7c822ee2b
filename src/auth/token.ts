// Tokens: 256 random bits, kept as a hash, dead 30 minutes after issue. Looking one up costs a query; what
// was found is believed for less than a second, so that an ended token is dead everywhere within one.
import { LRUCache } from 'lru-cache';
import type { Session } from '../model/session.ts';
import { databaseTime, formatTimestamp } from '../trade/timestamp.ts';
import { type Allow, allowance } from './permission.ts';
import { digest, randomSecret } from './secret.ts';

const VALID_MS = 30 * 60 * 1000;
const BELIEVED_MS = 900;
const MOST_BELIEVED = 10_000;

/** Who calls, and what the call may use. */
export interface Identity {
  readonly owner: number;
  readonly employee: number;
  readonly apiKey: number;
  readonly username: string;
  readonly role: number;
  readonly allow: Allow;
  /** ISO 8601. */
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** A stable digest of the token that gives nothing of it away. */
  readonly fingerprint: string;
}

export class Tokens {
  private readonly session: Session;
  private readonly believed = new LRUCache<string, { identity: Identity; until: number }>({
    max: MOST_BELIEVED,
    ttl: BELIEVED_MS,
  });
  private readonly allowances = new Map<string, Allow>();

  constructor(session: Session) {
    this.session = session;
  }

  async issue(who: {
    owner: number;
    employee: number;
    apiKey: number;
  }): Promise<{ token: string; expires_at: string }> {
    const token = randomSecret();
    const now = Date.now();
    const expires = databaseTime(new Date(now + VALID_MS));
    await this.session.run(
      'INSERT INTO tokens (token_hash, owner_id, employee_id, api_key_id, issued_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
      [digest(token), who.owner, who.employee, who.apiKey, databaseTime(new Date(now)), expires],
    );
    return { token, expires_at: formatTimestamp(expires) };
  }

  /** Who the token stands for; undefined where it is unknown, expired or ended. */
  async find(token: string): Promise<Identity | undefined> {
    const tokenHash = digest(token);
    const found = this.believed.get(tokenHash) ?? (await this.read(tokenHash));
    return found && found.until > Date.now() ? found.identity : undefined;
  }

  async end(token: string): Promise<void> {
    const tokenHash = digest(token);
    await this.session.run('DELETE FROM tokens WHERE token_hash = ?', [tokenHash]);
    this.believed.delete(tokenHash);
  }

  /** To be called when this process changed an employee or a key. */
  forgetAll(): void {
    this.believed.clear();
  }

  private async read(tokenHash: string) {
    const [row] = await this.session.rows(
      'SELECT t.owner_id, t.employee_id, t.api_key_id, t.issued_at, t.expires_at, e.username, e.role_kind, k.allow ' +
        'FROM tokens t JOIN employees e ON e.owner_id = t.owner_id AND e.id = t.employee_id ' +
        'JOIN api_keys k ON k.id = t.api_key_id ' +
        'WHERE t.token_hash = ? AND e.is_blocked = 0 AND e.is_archived = 0 AND k.revoked_at IS NULL',
      [tokenHash],
    );
    if (!row) return undefined;
    const expiresAt = formatTimestamp(String(row.expires_at));
    const identity: Identity = {
      owner: Number(row.owner_id),
      employee: Number(row.employee_id),
      apiKey: Number(row.api_key_id),
      username: String(row.username),
      role: Number(row.role_kind),
      allow: this.allowance(String(row.allow)),
      issuedAt: formatTimestamp(String(row.issued_at)),
      expiresAt,
      fingerprint: digest(`fingerprint ${tokenHash}`).slice(0, 32),
    };
    const found = { identity, until: Date.parse(expiresAt) };
    this.believed.set(tokenHash, found);
    return found;
  }

  private allowance(patterns: string): Allow {
    let allow = this.allowances.get(patterns);
    if (!allow) {
      allow = allowance(JSON.parse(patterns) as string[]);
      this.allowances.set(patterns, allow);
    }
    return allow;
  }
}
