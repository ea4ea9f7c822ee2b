// Calls to a receiver that is slow, broken or not trusted: how each call ends.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { delivered } from '../../../src/platform/calls/exchange.ts';
import type { Lookup } from '../../../src/platform/calls/lookup.ts';
import type { Call } from '../../../src/work/jobs/callback-call.ts';
import { makeCertificates, RECEIVER_NAME } from '../../support/process/certificates.ts';
import { openReceiver, type Receiver } from '../../support/process/https-receiver.ts';
import { callReceiver, ID } from './made-call.ts';

describe('a callback', () => {
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await openReceiver();
  });

  afterEach(async () => {
    await receiver.close();
  });

  const call = (changes: Partial<Call> = {}, lookup?: Lookup) => callReceiver(receiver, changes, lookup);

  describe('with a receiver that does not answer', () => {
    it('gives up after its time when no answer comes', async () => {
      receiver.answerWith('silent');

      const delivery = await call({ timeoutMs: 100 });

      expect(delivery).to.deep.equal({ status: null, error: 'no answer within 0.1 s' });
      await receiver.waitUntilIdle();
    });

    it('cuts off a body without end, and keeps the status', async () => {
      receiver.answerWith('endless');

      const delivery = await call();

      expect(delivery).to.deep.equal({ status: 200, error: null });
      await receiver.waitUntilIdle();
    });

    it('cuts off answers without end before the answer', async () => {
      receiver.answerWith('interim');

      const delivery = await call();

      expect(delivery).to.deep.equal({ status: null, error: 'answer is not HTTP (HPE_INTERIM)' });
      await receiver.waitUntilIdle();
    });

    it('does not wait longer than its time for a body, and keeps the status', async () => {
      receiver.answerWith('stalled');

      const delivery = await call({ timeoutMs: 4_000 });

      expect(delivery).to.deep.equal({ status: 200, error: null });
      await receiver.waitUntilIdle();
    });

    it('gives up on a name that does not resolve in time', async () => {
      const delivery = await call({ url: named(), timeoutMs: 20 }, () => new Promise(() => {}));

      expect(delivery).to.deep.equal({ status: null, error: 'no answer within 0.02 s' });
    });

    it('stops on abort', async () => {
      receiver.answerWith('silent');
      const stop = new AbortController();

      const calling = call({ signal: stop.signal });
      await receiver.waitFor(1);
      stop.abort();

      expect(await calling).to.deep.equal({ status: null, error: 'given up before an answer' });
      await receiver.waitUntilIdle();
    });

    it('does not start after abort', async () => {
      const delivery = await call({ signal: AbortSignal.abort() });

      expect(delivery).to.deep.equal({ status: null, error: 'given up before an answer' });
      expect(receiver.requests).to.deep.equal([]);
    });
  });

  describe('that fails', () => {
    it('says that a name does not resolve', async () => {
      const nowhere: Lookup = async () => {
        throw new Error('getaddrinfo ENOTFOUND');
      };

      expect(await call({ url: named() }, nowhere)).to.deep.equal({
        status: null,
        error: 'name does not resolve',
      });
    });

    it('says that the connection is refused', async () => {
      const gone = await openReceiver();
      await gone.close();

      const delivery = await call({ url: gone.url() });

      expect(delivery).to.deep.equal({ status: null, error: 'connection refused' });
    });

    it('does not trust the certificate of an unknown authority', async () => {
      const other = await openReceiver(await makeCertificates());

      const delivery = await call({ url: other.url() });
      await other.close();

      expect(delivery.error).to.equal('certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)');
      expect(other.requests).to.deep.equal([]);
    });

    it('does not trust a certificate of another name', async () => {
      const url = receiver.url('/', 'other.test');

      const delivery = await call({ url }, resolvingTo('127.0.0.1'));

      expect(delivery.error).to.equal('certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)');
      expect(receiver.requests).to.deep.equal([]);
    });

    it('says that the connection was closed', async () => {
      receiver.answerWith('dropped');

      const delivery = await call();

      expect(delivery).to.deep.equal({ status: null, error: 'connection was closed before an answer' });
    });

    it('says that there is no TLS', async () => {
      const plain = await openPlain((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));

      const delivery = await call({ url: `https://127.0.0.1:${plain.port}/` });
      await plain.close();

      expect(delivery.status).to.equal(null);
      expect(delivery.error).to.match(/^no secure connection \(\w+\)$/);
    });

    it('gives up after its time on a server that never shakes hands', async () => {
      const plain = await openPlain(() => {});

      const delivery = await call({ url: `https://127.0.0.1:${plain.port}/`, timeoutMs: 100 });
      await plain.close();

      expect(delivery).to.deep.equal({ status: null, error: 'no answer within 0.1 s' });
    });

    it('never tells the secret, and never throws', async () => {
      const calls = [
        call({ jobId: 'line\nbreak' }),
        call({ allow: ['nonsense'] }),
        call({ url: `https://${ID}` }, resolvingTo('127.0.0.1')),
      ];

      const deliveries = await Promise.all(calls);

      expect(deliveries.filter(delivered)).to.deep.equal([]);
      expect(JSON.stringify(deliveries)).to.not.include(ID);
    });
  });

  const named = () => receiver.url('/', RECEIVER_NAME);
});

/** Answers one address after the other. */
function resolvingTo(...addresses: string[]): Lookup {
  let next = 0;
  return async () => [{ address: addresses[next++] ?? 'asked too often', family: 4 }];
}

/** A server that speaks no TLS. */
async function openPlain(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
