// Limits guesses and mails: after five failures for one user, or twenty from one address, logins are refused for the
// rest of the 15 minutes. The counts are in the database, so all processes share them.
import ipaddr from 'ipaddr.js';
import type { Knex } from 'knex';
import type { AnyQueryBuilder } from 'objection';
import { RateLimiterMySQL, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem, violation } from '../../core/errors.ts';
import { BaseModel } from '../../core/model/statements/base-model.ts';
import { retried } from '../../core/model/statements/retried.ts';
import { latestEnd } from '../../core/trade/time/timestamp.ts';
import { digest } from './secret.ts';

const MINUTE = 60;
const WINDOW = 15 * MINUTE;
const FROM_ONE_ADDRESS = 20;
const HOUR = 60 * MINUTE;
const PREFIX_GROUPS = 4;
/** The limits, each with the seconds for which it counts. Their keys begin with the name and a colon. */
const WINDOWS = {
  user: WINDOW,
  keyless: WINDOW,
  address: WINDOW,
  reset: WINDOW,
  'mail-minute': MINUTE,
  'mail-hour': HOUR,
} as const;

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

/** A limit, and the user or address that it counts. */
export type Counted = readonly [limit: Limit, whom: string];

export class Throttle {
  private readonly knex: Knex;
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
    this.knex = knex;
    const limit = (keyPrefix: keyof typeof WINDOWS, points: number) =>
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
          duration: WINDOWS[keyPrefix],
        }),
      );
    this.users = limit('user', 5);
    this.keyless = limit('keyless', FROM_ONE_ADDRESS);
    this.addresses = limit('address', FROM_ONE_ADDRESS);
    this.resets = limit('reset', FROM_ONE_ADDRESS);
    this.mailsAMinute = limit('mail-minute', 1);
    this.mailsAnHour = limit('mail-hour', 5);
  }

  /** Throws 429 if one of the limits is reached: by the first of them, and all by one statement. */
  async check(...counted: readonly Counted[]): Promise<void> {
    const found = await LoginFailure.query(this.knex).select('key', 'expire').modify(reached, counted);
    for (const [limit, whom] of counted) {
      const count = found.find(({ key }) => key === limit.keyOf(whom));
      if (count) throw tooMany(count.expire - Date.now());
    }
  }
}

/** For `modify`: keeps the counts that have reached their limit. */
export function reached(query: AnyQueryBuilder, counted: readonly Counted[]): void {
  const now = Date.now();
  query.where('expire', '>', now).where((any) => {
    for (const [limit, whom] of counted)
      any.orWhere((one) =>
        one
          .where('key', limit.keyOf(whom))
          .where('points', '>=', limit.points)
          // A count that ends further ahead was begun by a clock that ran ahead.
          .where('expire', '<=', now + limit.milliseconds),
      );
  });
}

/** For `modify`: keeps the counts that end further ahead than their limit counts. */
export function countedAhead(query: AnyQueryBuilder): void {
  query.where((any) => {
    for (const [name, seconds] of Object.entries(WINDOWS))
      any.orWhere((one) =>
        one.where('key', 'like', `${name}:%`).where('expire', '>', latestEnd(seconds * 1000)),
      );
  });
}

class Limit {
  private readonly limiter: RateLimiterMySQL;

  constructor(limiter: RateLimiterMySQL) {
    this.limiter = limiter;
  }

  get points(): number {
    return this.limiter.points;
  }

  get milliseconds(): number {
    return this.limiter.duration * 1000;
  }

  /** The key of the count of a user or an address. */
  keyOf(whom: string): string {
    return this.limiter.getKey(digest(whom));
  }

  /** Counts once. Throws 429 if the limit was reached before. */
  async count(whom: string): Promise<void> {
    const key = digest(whom);
    let state = await this.consume(key);
    if (await this.forgets(key, state)) state = await this.consume(key);
    if (state.consumedPoints > this.limiter.points) throw tooMany(state.msBeforeNext);
  }

  /** Forgets a count that ends further ahead than a count can last: it was begun by a clock that ran ahead. */
  private async forgets(key: string, { msBeforeNext }: RateLimiterRes): Promise<boolean> {
    const isOver = msBeforeNext > this.milliseconds;
    if (isOver) await retried(() => this.limiter.delete(key));
    return isOver;
  }

  /** Counts once, and answers the count. */
  private async consume(key: string): Promise<RateLimiterRes> {
    try {
      return await retried(() => this.limiter.consume(key));
    } catch (error) {
      if (error instanceof RateLimiterRes) return error;
      throw error;
    }
  }
}

/** The network that counts as one caller: an IPv4 address, or an IPv6 /64, because one caller has a whole /64. */
export function networkOf(given: string): string {
  const address = withoutPort(given);
  if (!ipaddr.isValid(address)) return address;
  // `process` also reads an IPv4 address that is written as ::ffff:192.0.2.1.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, PREFIX_GROUPS);
  return groups.map((group) => group.toString(16)).join(':');
}

/** Some proxies write the port too: `203.0.113.7:51344` or `[2001:db8::1]:443`. It differs for each connection. */
function withoutPort(address: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  return v6 ?? v4 ?? address;
}

const tooMany = (milliseconds: number) =>
  new Problem(violation('too_many_attempts'), {
    'Retry-After': String(Math.max(1, Math.ceil(milliseconds / 1000))),
  });
