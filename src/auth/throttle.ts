// Limits the guessing of passwords: after five failures for one username, or twenty from one address, logins are
// refused for the rest of the 15 minutes. The counts are in the database, so all processes share them.
import type { Knex } from 'knex';
import { RateLimiterMySQL, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem, violation } from '../errors.ts';
import { Table } from '../model/prepared.ts';
import { digest } from './secret.ts';

const WINDOW_SECONDS = 15 * 60;

/** The counts; rate-limiter-flexible writes them. */
export class LoginFailure extends Table {
  static override tableName = 'login_failures';
  static override idColumn = 'key';
  /** The hash of a username or of an address. */
  declare key: string;
  declare points: number;
  /** Milliseconds since 1970. */
  declare expire: number;
}

export class Throttle {
  private readonly limits: { limiter: RateLimiterMySQL; keyOf: (login: LoginAttempt) => string }[];

  constructor(knex: Knex, database: string) {
    const limiter = (keyPrefix: string, points: number) =>
      new RateLimiterMySQL({
        storeClient: knex,
        storeType: 'knex',
        dbName: database,
        tableName: LoginFailure.tableName,
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix,
        points,
        duration: WINDOW_SECONDS,
      });
    this.limits = [
      { limiter: limiter('user', 5), keyOf: ({ username }) => digest(username) },
      { limiter: limiter('address', 20), keyOf: ({ address }) => digest(address) },
    ];
  }

  /** Throws 429 if too many logins have failed. */
  async check(login: LoginAttempt): Promise<void> {
    for (const { limiter, keyOf } of this.limits) {
      const state = await limiter.get(keyOf(login));
      if (state && state.consumedPoints >= limiter.points) throw tooMany(state.msBeforeNext);
    }
  }

  /** Counts a failure. Throws 429 if the limit was reached in the meantime. */
  async fail(login: LoginAttempt): Promise<void> {
    for (const { limiter, keyOf } of this.limits) {
      try {
        await limiter.consume(keyOf(login));
      } catch (error) {
        if (error instanceof RateLimiterRes) throw tooMany(error.msBeforeNext);
        throw error;
      }
    }
  }
}

interface LoginAttempt {
  username: string;
  address: string;
}

const tooMany = (milliseconds: number) =>
  new Problem(violation('too_many_attempts'), {
    'Retry-After': String(Math.max(1, Math.ceil(milliseconds / 1000))),
  });
