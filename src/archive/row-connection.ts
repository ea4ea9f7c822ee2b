// The connection by which a backup reads its rows: megabytes a second, for a while. Its socket reads into buffers
// that go round, since what node would allocate for each reading is garbage when its rows are copied, and piles up
// to 10 MB; and it is the socket that is told to wait: mysql2 would clone the rows that have come already.
import { connect, type Socket } from 'node:net';
import { type Connection, createConnection } from 'mysql2';
import { type ConnectionSettings, mysqlOptions } from '../database/settings.ts';

const BUFFER_BYTES = 2 ** 16;
const BUFFERS = 32;
/** A row must be much shorter: while it is not whole, mysql2 keeps its beginning in the buffer where that came in. */
export const BYTES_GOING_ROUND = BUFFERS * BUFFER_BYTES;

export interface RowConnection {
  readonly connection: Connection;
  readonly socket: Socket;
}

export function connectForRows(settings: ConnectionSettings): RowConnection {
  const socket = connectRound(settings);
  const connection = createConnection({ ...mysqlOptions(settings), stream: () => socket });
  // Queries reject all the same; unheard, the loss of the connection would end the process.
  connection.on('error', () => {});
  return { connection, socket };
}

function connectRound({ socketPath, host, port = 3306 }: ConnectionSettings): Socket {
  const buffers = Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(BUFFER_BYTES));
  let turn = 0;
  const onread = {
    buffer: () => {
      turn = (turn + 1) % BUFFERS;
      return buffers[turn] as Buffer;
    },
    callback: (bytes: number, { buffer }: Uint8Array) => {
      socket.emit('data', Buffer.from(buffer, 0, bytes));
      return true;
    },
  };
  const socket =
    socketPath === undefined
      ? connect({ host, port, onread, noDelay: true, keepAlive: true })
      : connect({ path: socketPath, onread });
  return socket;
}
