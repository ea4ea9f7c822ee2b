// A proxy in front of the database's socket that makes it a millisecond further away: what a client sends waits before
// it goes on. Prints its port. Arguments: the path of the socket, and the milliseconds.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const [socketPath = '', milliseconds = '1'] = process.argv.slice(2);

const server = createServer({ noDelay: true }, (client) => {
  const database = connect(socketPath);
  // Timers of one length go off in the order in which they were set, so the chunks keep their order.
  client.on('data', (chunk) => setTimeout(() => database.write(chunk), Number(milliseconds)));
  client.on('end', () => setTimeout(() => database.end(), Number(milliseconds)));
  database.pipe(client);
  for (const [one, other] of [
    [client, database],
    [database, client],
  ] as [Socket, Socket][])
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
process.on('SIGTERM', () => process.exit(0));
