// Tokens: 256 random bits, stored as a hash, valid for 30 minutes. A token that was found is cached for less than a
// second, so that a token that was ended stops working everywhere within a second.

import { LRUCache } from 'lru-cache';
import { OwnedModel } from '../../core/model/statements/base-model.ts';
import { retried } from '../../core/model/statements/retried.ts';
import { columns, selected, text } from '../../core/model/statements/selected.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { Employee } from '../../core/resources/employee.ts';
import { MINUTE_MS } from '../../core/trade/time/duration.ts';
import { databaseTime, formatTimestamp, isAhead } from '../../core/trade/time/timestamp.ts';
import { fit } from './fit.ts';
import { type Allow, allowance } from './permission.ts';
import { digest, randomSecret } from './secret.ts';

export const TOKEN_MS = 30 * MINUTE_MS;
const CACHED_MS = 900;
const MOST_CACHED = 10_000;

export class Token extends OwnedModel {
  static override tableName = 'tokens';
  static override idColumn = 'token_hash';
  declare token_hash: string;
  declare owner_id: number;
  declare employee_id: number;
  declare api_key_id: number;
  declare issued_at: string;
  declare expires_at: string;
}

export interface IssuedToken {
  readonly token: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

const FOUND = {
  ...columns(Token, 't', 'owner_id', 'employee_id', 'api_key_id', 'issued_at', 'expires_at'),
  ...columns(Employee, 'e', 'role_kind', 'end_date', 'username'),
  allow: text('k.allow'),
};

/** The caller of a request, and the endpoints that this caller may use. */
export interface Identity {
  readonly owner: number;
  readonly employee: number;
  readonly apiKey: number;
  /** Empty if the username was removed after the login. */
  readonly username: string;
  readonly role: number;
  readonly allow: Allow;
  /** ISO 8601. */
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** A digest of the token: the same for each call, and useless to find the token. */
  readonly fingerprint: string;
}

interface Found {
  readonly identity: Identity;
  /** When the token expires, in milliseconds since 1970. */
  readonly expires: number;
  /** When the employee leaves, likewise. */
  readonly leaves: number;
}

export class Tokens {
  private readonly session: Session;
  private readonly cached = new LRUCache<string, Found>({ max: MOST_CACHED, ttl: CACHED_MS });
  /** The reads that still run, by token. Requests that arrive together share one read. */
  private readonly reading = new Map<string, Promise<Found | undefined>>();
  private readonly allowances = new Map<string, Allow>();
  /** Goes up when tokens end, so that a token that was read before is not cached after. */
  private endings = 0;

  constructor(session: Session) {
    this.session = session;
  }

  async issue(
    { owner, employee, apiKey }: Pick<Identity, 'owner' | 'employee' | 'apiKey'>,
    session = this.session,
  ): Promise<IssuedToken> {
    const token = randomSecret();
    const now = Date.now();
    const expires = databaseTime(new Date(now + TOKEN_MS));
    await Token.ofAllOwners('insert', session).insert({
      token_hash: digest(token),
      owner_id: owner,
      employee_id: employee,
      api_key_id: apiKey,
      issued_at: databaseTime(new Date(now)),
      expires_at: expires,
    });
    return { token, expires_at: formatTimestamp(expires) };
  }

  /** The identity of the token's user. Undefined: the token is unknown, expired or ended. */
  async find(token: string): Promise<Identity | undefined> {
    const tokenHash = digest(token);
    const found = this.cached.get(tokenHash) ?? (await this.readOnce(tokenHash));
    if (!found || found.leaves <= Date.now() || !isAhead(found.expires, TOKEN_MS)) return undefined;
    return found.identity;
  }

  /**
   * Whether the caller of a request that takes long may go on. A token that expires meanwhile is no reason not to, but
   * then the user and the key must be as good as before.
   */
  async mayGoOn(token: string, { owner, employee, apiKey, role, expiresAt }: Identity): Promise<boolean> {
    const alive = await this.find(token);
    if (alive || Date.parse(expiresAt) > Date.now()) return alive?.role === role;
    const found = await Employee.of({ knex: this.session.knex, owner }, 'e')
      .select('e.id')
      .join('api_keys as k', (on) => on.onVal('k.id', apiKey))
      .where({ 'e.id': employee, 'e.role_kind': role })
      .modify(fit, 'e')
      .whereNull('k.revoked_at')
      .first();
    return found !== undefined;
  }

  async end(token: string): Promise<void> {
    const tokenHash = digest(token);
    await retried(() => Token.ofAllOwners('login', this.session).deleteById(tokenHash));
    this.endings += 1;
    this.reading.delete(tokenHash);
    this.cached.delete(tokenHash);
  }

  /** Call this when this process changed an employee or a key. */
  forgetAll(): void {
    this.endings += 1;
    this.reading.clear();
    this.cached.clear();
  }

  private readOnce(tokenHash: string): Promise<Found | undefined> {
    const known = this.reading.get(tokenHash);
    if (known) return known;
    const reading = this.read(tokenHash).finally(() => {
      if (this.reading.get(tokenHash) === reading) this.reading.delete(tokenHash);
    });
    this.reading.set(tokenHash, reading);
    return reading;
  }

  private async read(tokenHash: string): Promise<Found | undefined> {
    const { endings } = this;
    const valid = Token.ofAllOwners('login', this.session)
      .alias('t')
      .join(`${Employee.tableName} as e`, (on) =>
        on.on('e.owner_id', 't.owner_id').on('e.id', 't.employee_id'),
      )
      .join('api_keys as k', 'k.id', 't.api_key_id')
      .where('t.token_hash', tokenHash)
      .modify(fit, 'e')
      .whereNull('k.revoked_at')
      .first();
    const row = await selected(valid, FOUND);
    if (!row) return undefined;
    const expiresAt = formatTimestamp(row.expires_at);
    const identity: Identity = {
      owner: row.owner_id,
      employee: row.employee_id,
      apiKey: row.api_key_id,
      username: row.username ?? '',
      role: row.role_kind,
      allow: this.allowance(row.allow),
      issuedAt: formatTimestamp(row.issued_at),
      expiresAt,
      fingerprint: digest(`fingerprint ${tokenHash}`).slice(0, 32),
    };
    const found = {
      identity,
      expires: Date.parse(expiresAt),
      leaves: row.end_date === null ? Number.POSITIVE_INFINITY : Date.parse(formatTimestamp(row.end_date)),
    };
    if (endings === this.endings) this.cached.set(tokenHash, found);
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
