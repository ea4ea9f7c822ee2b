// A second server over the same services as the test run's service, with its own limits, settings and log.
import type { Server } from 'node:http';
import { createApp } from '../../../src/app.ts';
import { closeServer, LIMITS, listen, openServer } from '../../../src/http/server/server.ts';
import type { Config } from '../../../src/platform/config.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { Services } from '../../../src/work/services.ts';
import type { Json } from '../client/client.ts';
import { testConfig, theService } from './service.ts';

export interface Aside {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** The lines that the service has logged so far. */
  readonly lines: readonly Json[];
  close(): Promise<void>;
}

/** Opens second services, and closes them after each test. Call it in `describe`. */
export function asides(): (limits?: Partial<typeof LIMITS>) => Promise<Aside> {
  const opened: Aside[] = [];
  afterEach(async () => {
    for (const aside of opened.splice(0)) {
      aside.server.closeAllConnections();
      await aside.close();
    }
  });
  return async (limits = {}) => {
    const aside = await openAside({ limits });
    opened.push(aside);
    return aside;
  };
}

export async function openAside(
  changes: { config?: Partial<Config>; limits?: Partial<typeof LIMITS>; services?: Partial<Services> } = {},
): Promise<Aside> {
  const lines: Json[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const log = createLog(testConfig('', { LOG_LEVEL: 'info' }), { write });
  const { services } = theService().service;
  const http = openServer(
    { log, onAnswer: (seen) => services.metrics.onAnswer(seen) },
    { ...LIMITS, ...changes.limits },
  );
  const { server } = http;
  http.serve(
    createApp({
      ...services,
      ...changes.services,
      log,
      config: { ...services.config, ...changes.config },
    }).callback(),
  );
  const port = await listen(server, { port: 0, host: '127.0.0.1' });
  return { url: `http://127.0.0.1:${port}`, port, server, lines, close: () => closeServer(http) };
}
