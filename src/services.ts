// The services for requests: database, jobs, mail, log. service.ts makes them once; every request handler gets them.
import type { Logger } from 'pino';
import type { Throttle } from './auth/throttle.ts';
import type { Tokens } from './auth/token.ts';
import type { Feed } from './changes/feed.ts';
import type { Config } from './config.ts';
import type { Jobs } from './jobs/engine.ts';
import type { SendMail } from './mail.ts';
import type { Metrics } from './metrics.ts';
import type { Finder } from './model/lists/find.ts';
import type { Database } from './model/statements/session.ts';
import type { Storage } from './storage/open.ts';

export interface Services {
  readonly config: Config;
  /** The public address, without a slash at its end. Links to the service begin with it. */
  readonly publicUrl: string;
  readonly version: string;
  readonly database: Database;
  readonly finder: Finder;
  readonly feed: Feed;
  readonly storage: Storage;
  readonly signingSecret: string;
  readonly tokens: Tokens;
  readonly throttle: Throttle;
  readonly jobs: Jobs;
  readonly mail: SendMail;
  readonly metrics: Metrics;
  /** Whether this process is about to close: a proxy must send requests to others. */
  readonly isDraining: () => boolean;
  readonly log: Logger;
}
