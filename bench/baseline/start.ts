// The part that both baselines share: starting, stopping, and reading a body.
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { ConnectionSettings } from '../../src/platform/database/settings.ts';
import { Baseline } from './database.ts';

/** Listens on PORT until SIGTERM. Arguments of the process: the connection as JSON; `log`: it logs changes. */
export function start(listener: (baseline: Baseline) => RequestListener): void {
  const connection = JSON.parse(process.argv[2] ?? '') as ConnectionSettings;
  const baseline = new Baseline(connection, process.argv[3] === 'log');
  const server = createServer({ keepAliveTimeout: 65_000 }, listener(baseline));
  server.listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => {
    server.close(() => baseline.end());
    server.closeAllConnections();
  });
}

export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}
