// Limits guesses and mails: after five failures for one user, or twenty from one address, logins are refused for the
// rest of the 15 minutes. The counts are in the database, so all processes share them.
import ipaddr from 'ipaddr.js';
import type { Knex } from 'knex';
import { RateLimiterMySQL, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem, violation } from '../errors.ts';
import { BaseModel } from '../model/base-model.ts';
import { retried } from '../model/retried.ts';
import { digest } from './secret.ts';

const MINUTE = 60;
const WINDOW = 15 * MINUTE;
const FROM_ONE_ADDRESS = 20;
const PREFIX_GROUPS = 4;

/** The counts; rate-limiter-flexible writes them. */
export class LoginFailure extends BaseModel {
  static override tableName = 'login_failures';
  static override idColumn = 'key';
  /** The name of a limit, and the hash of the counted user or address. */
  declare key: string;
  declare points: number;
  /** Milliseconds since 1970. */
  declare expire: number;
}

export class Throttle {
  /** Failed logins with a valid key, by user. */
  readonly users: Limit;
  /** Failed logins without a valid key, by user and address: as many as `addresses` allows anyway. */
  readonly keyless: Limit;
  /** Failed logins, by address. */
  readonly addresses: Limit;
  /** Passwords sent with a reset link that does not work, by address. */
  readonly resets: Limit;
  /** Mailed reset links, by user. */
  readonly mailsAMinute: Limit;
  readonly mailsAnHour: Limit;

  constructor(knex: Knex, database: string) {
    const limit = (keyPrefix: string, points: number, duration: number) =>
      new Limit(
        new RateLimiterMySQL({
          storeClient: knex,
          storeType: 'knex',
          dbName: database,
          tableName: LoginFailure.tableName,
          tableCreated: true,
          clearExpiredByTimeout: false,
          keyPrefix,
          points,
          duration,
        }),
      );
    this.users = limit('user', 5, WINDOW);
    this.keyless = limit('keyless', FROM_ONE_ADDRESS, WINDOW);
    this.addresses = limit('address', FROM_ONE_ADDRESS, WINDOW);
    this.resets = limit('reset', FROM_ONE_ADDRESS, WINDOW);
    this.mailsAMinute = limit('mail-minute', 1, MINUTE);
    this.mailsAnHour = limit('mail-hour', 5, 60 * MINUTE);
  }
}

class Limit {
  private readonly limiter: RateLimiterMySQL;

  constructor(limiter: RateLimiterMySQL) {
    this.limiter = limiter;
  }

  /** Throws 429 if the limit is reached. */
  async check(whom: string): Promise<void> {
    const state = await this.limiter.get(digest(whom));
    if (state && state.consumedPoints >= this.limiter.points) throw tooMany(state.msBeforeNext);
  }

  /** Counts once. Throws 429 if the limit was reached before. */
  async count(whom: string): Promise<void> {
    try {
      await retried(() => this.limiter.consume(digest(whom)));
    } catch (error) {
      throw error instanceof RateLimiterRes ? tooMany(error.msBeforeNext) : error;
    }
  }
}

/** The network that counts as one caller: an IPv4 address, or an IPv6 /64, because one caller has a whole /64. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, PREFIX_GROUPS);
  return groups.map((group) => group.toString(16)).join(':');
}

const tooMany = (milliseconds: number) =>
  new Problem(violation('too_many_attempts'), {
    'Retry-After': String(Math.max(1, Math.ceil(milliseconds / 1000))),
  });
