// The services for requests: database, jobs, mail, log. service.ts makes them once; every request handler gets them.
import type { Logger } from 'pino';
import type { Finder } from '../core/model/lists/find.ts';
import type { Database } from '../core/model/statements/session.ts';
import type { Throttle } from '../platform/auth/throttle.ts';
import type { Tokens } from '../platform/auth/token.ts';
import type { Feed } from '../platform/changes/feed.ts';
import type { Config } from '../platform/config.ts';
import type { SendMail } from '../platform/mail.ts';
import type { Storage } from '../platform/storage/open.ts';
import type { Jobs } from './jobs/engine.ts';
import type { Metrics } from './metrics.ts';

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
