// Connections without a request so far. Browsers open some in advance. Node counts them as busy, so the end of the
// service would wait for them.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long the first request of a new connection may be on its way. */
const FIRST_REQUEST_MS = 1_000;

/** Returns a function that closes the connections on which nothing has arrived for a second. */
export function followUnused(server: Server): () => void {
  const open = new Map<Socket, number>();
  server.on('connection', (socket) => {
    open.set(socket, performance.now());
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    const latest = performance.now() - FIRST_REQUEST_MS;
    for (const [socket, since] of open) if (socket.bytesRead === 0 && since < latest) socket.destroy();
  };
}
