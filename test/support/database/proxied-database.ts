// The run's database behind a proxy that a test watches or breaks.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { theService } from '../service/service.ts';

export interface Proxied {
  readonly database: Database;
  close(): Promise<void>;
}

/** `join` passes on what a connection of the service and its connection to the server send each other. */
export async function openProxied(join: (client: Socket, server: Socket) => void): Promise<Proxied> {
  const { connection, storage } = theService().base;
  const { socketPath, hosts: [host] = [], ...where } = connection;
  const proxy = createServer((client) => {
    join(client, socketPath === undefined ? connect(host?.port ?? 0, host?.host) : connect(socketPath));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const database = connectDatabase({ ...where, hosts: [{ host: '127.0.0.1', port }] }, storage.files);
  return {
    database,
    close: async () => {
      await database.close();
      proxy.close();
    },
  };
}
