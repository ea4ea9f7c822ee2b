// The run's database behind a proxy that breaks a connection when the server has done a certain commit: the service
// gets no answer and can't know whether the transaction was committed.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { theService } from '../service/service.ts';

export interface Losing {
  readonly database: Database;
  /** How many answers to a commit were lost. */
  lost(): number;
  close(): Promise<void>;
}

/** Loses the answer to the commit of each transaction that sends this text before. */
export async function openLosing(text: string): Promise<Losing> {
  const { connection, storage } = theService().base;
  const { socketPath, hosts: [host] = [], ...where } = connection;
  let lost = 0;
  const proxy = createServer((client) => {
    const server = socketPath === undefined ? connect(host?.port ?? 0, host?.host) : connect(socketPath);
    let isMeant = false;
    let isCommitted = false;
    client.on('data', (sent) => {
      isMeant ||= sent.includes(text);
      isCommitted ||= isMeant && sent.includes('COMMIT');
      server.write(sent);
    });
    server.on('data', (answer) => {
      if (!isCommitted) client.write(answer);
      else {
        lost += 1;
        client.destroy();
      }
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const database = connectDatabase({ ...where, hosts: [{ host: '127.0.0.1', port }] }, storage.files);
  return {
    database,
    lost: () => lost,
    close: async () => {
      await database.close();
      proxy.close();
    },
  };
}
