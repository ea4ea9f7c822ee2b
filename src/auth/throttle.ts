// Slows down the guessing of passwords: five failures for one username, or twenty from one address, within
// 15 minutes shut the door for the rest of them, in all processes at once.
import type { Knex } from 'knex';
import { RateLimiterMySQL, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem, violation } from '../errors.ts';
import { digest } from './secret.ts';

const WINDOW_SECONDS = 15 * 60;
const TABLE = 'login_failures';

export class Throttle {
  private readonly limits: { limiter: RateLimiterMySQL; keyOf: (who: Who) => string }[];

  constructor(knex: Knex, database: string) {
    const limiter = (keyPrefix: string, points: number) =>
      new RateLimiterMySQL({
        storeClient: knex,
        storeType: 'knex',
        dbName: database,
        tableName: TABLE,
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

  /** Throws 429 where too many attempts have failed. */
  async check(who: Who): Promise<void> {
    for (const { limiter, keyOf } of this.limits) {
      const state = await limiter.get(keyOf(who));
      if (state && state.consumedPoints >= limiter.points) throw tooMany(state.msBeforeNext);
    }
  }

  /** Counts a failure. Throws 429 where others, at the same time, have already made it too many. */
  async fail(who: Who): Promise<void> {
    for (const { limiter, keyOf } of this.limits) {
      try {
        await limiter.consume(keyOf(who));
      } catch (error) {
        if (error instanceof RateLimiterRes) throw tooMany(error.msBeforeNext);
        throw error;
      }
    }
  }
}

interface Who {
  username: string;
  address: string;
}

const tooMany = (milliseconds: number) =>
  new Problem(violation('too_many_attempts'), {
    'Retry-After': String(Math.max(1, Math.ceil(milliseconds / 1000))),
  });
