// The run's database behind a proxy that breaks a connection when the server has done a certain commit: the service
// gets no answer and can't know whether the transaction was committed.
import { openProxied, type Proxied } from './proxied-database.ts';

export interface Losing extends Proxied {
  /** How many answers to a commit were lost. */
  lost(): number;
}

/** Loses the answer to the commit of each transaction that sends this text before. */
export async function openLosing(text: string): Promise<Losing> {
  let lost = 0;
  const proxied = await openProxied((client, server) => {
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
  });
  return { ...proxied, lost: () => lost };
}
