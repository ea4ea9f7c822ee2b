// Calls to a real HTTPS receiver: the request, what counts as delivered, and where no call goes.
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import manifest from '../../../package.json' with { type: 'json' };
import { checkWebhookUrl } from '../../../src/platform/calls/address.ts';
import { delivered } from '../../../src/platform/calls/exchange.ts';
import type { Lookup } from '../../../src/platform/calls/lookup.ts';
import type { Call } from '../../../src/work/jobs/callback-call.ts';
import { RECEIVER_NAME } from '../../support/process/certificates.ts';
import { openReceiver, type Received, type Receiver } from '../../support/process/https-receiver.ts';
import { callReceiver, ID, JOB, SECRET } from './made-call.ts';

describe('a callback', () => {
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await openReceiver();
  });

  afterEach(async () => {
    await receiver.close();
  });

  const call = (changes: Partial<Call> = {}, lookup?: Lookup) => callReceiver(receiver, changes, lookup);

  describe('that arrives', () => {
    it('is a GET with the secret in its query and the version in its headers', async () => {
      const delivery = await call();

      const [request] = receiver.requests;
      expect(delivery).to.deep.equal({ status: 200, error: null });
      expect(receiver.requests).to.have.lengthOf(1);
      expect(request).to.include({ method: 'GET', url: `/hook?id=${ID}` });
      expect(request?.headers).to.include({
        host: `localhost:${receiver.port}`,
        'user-agent': `forecourt/${manifest.version}`,
        'webhook-id': JOB,
        connection: 'close',
      });
    });

    it('keeps the query as it is but for an id of its own, and drops the fragment', async () => {
      const paths = [
        '',
        '/?',
        '/hook?a=%7e+%20&id=5&b',
        "/h?q='é'#part",
        '/h?#part',
        '/h?id&i%64=6&a=1&id=7',
        '/h??id=5&my_id=6',
      ];

      for (const path of paths) await call({ url: receiver.url(path) });

      expect(receiver.requests.map(({ url }) => url)).to.deep.equal([
        `/?id=${ID}`,
        `/?id=${ID}`,
        `/hook?a=%7e+%20&b&id=${ID}`,
        `/h?q=%27%C3%A9%27&id=${ID}`,
        `/h?id=${ID}`,
        `/h?a=1&id=${ID}`,
        `/h??id=5&my_id=6&id=${ID}`,
      ]);
    });

    it('is signed so that the receiver can verify it from the request', async () => {
      const before = Math.floor(Date.now() / 1_000);

      await call({ url: receiver.url('/hook?a=1#part') });

      const [request] = receiver.requests as [Received];
      const timestamp = String(request.headers['webhook-timestamp']);
      const content = `${JOB}.${timestamp}.https://${request.headers.host}${request.url}`;
      const expected = createHmac('sha256', Buffer.from(SECRET, 'utf8'))
        .update(content, 'utf8')
        .digest('base64');
      expect(request.headers['webhook-signature']).to.equal(`v1,${expected}`);
      expect(timestamp).to.match(/^\d+$/);
      expect(Number(timestamp)).to.be.within(before, Math.floor(Date.now() / 1_000));
    });

    for (const status of [200, 201, 202, 204, 299]) {
      it(`is delivered when it is answered ${status}`, async () => {
        receiver.answerWith({ status });

        const delivery = await call();

        expect(delivery).to.deep.equal({ status, error: null });
        expect(delivered(delivery)).to.equal(true);
      });
    }

    for (const status of [400, 404, 410, 429, 500, 503]) {
      it(`is not delivered when it is answered ${status}`, async () => {
        receiver.answerWith({ status, body: 'no' });

        const delivery = await call();

        expect(delivery).to.deep.equal({ status, error: `answered ${status}` });
        expect(delivered(delivery)).to.equal(false);
      });
    }

    for (const status of [301, 302, 303, 307, 308]) {
      it(`does not follow a redirect by ${status}`, async () => {
        receiver.answerWith({ status, headers: { location: receiver.url('/elsewhere') } }, { status: 200 });

        const delivery = await call();

        expect(delivery).to.deep.equal({ status, error: `answered ${status}, redirects are not followed` });
        expect(receiver.requests).to.have.lengthOf(1);
      });
    }

    it('uses a connection of its own each time, and leaves none open', async () => {
      await call();
      await call();

      await receiver.waitUntilIdle();
      expect(receiver.requests).to.have.lengthOf(2);
    });

    it('is answered late, and still delivered', async () => {
      receiver.answerWith({ status: 202, held: true });

      const calling = call();
      await receiver.waitFor(1);
      receiver.release();

      expect(await calling).to.deep.equal({ status: 202, error: null });
    });
  });

  describe('to a forbidden address', () => {
    const REFUSED = { status: null, error: 'address is not publicly accessible' };

    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', '[::1]', '10.0.0.1']) {
      it(`does not go to ${host}`, async () => {
        const delivery = await call({ url: receiver.url('/', host), allow: [] });

        expect(delivery).to.deep.equal(REFUSED);
        expect(receiver.requests).to.deep.equal([]);
      });
    }

    it('does not go to a name that was public when it was checked and is private now', async () => {
      const lookup = resolvingTo('8.8.8.8', '127.0.0.1');

      const accepted = await checkWebhookUrl(named(), [], lookup);
      const delivery = await call({ url: named(), allow: [] }, lookup);

      expect(accepted).to.equal(true);
      expect(delivery).to.deep.equal(REFUSED);
      expect(receiver.requests).to.deep.equal([]);
    });

    it('goes to the address that was checked, and resolves the name once', async () => {
      const lookup = resolvingTo('127.0.0.1', '10.0.0.1');

      const first = await call({ url: named() }, lookup);
      const second = await call({ url: named() }, lookup);

      expect(first).to.deep.equal({ status: 200, error: null });
      expect(second).to.deep.equal(REFUSED);
    });

    it('does not go to a public address of a name that has a private one too', async () => {
      const both: Lookup = async () => ['127.0.0.1', '10.0.0.1'].map((address) => ({ address, family: 4 }));

      expect(await call({ url: named() }, both)).to.deep.equal(REFUSED);
      expect(receiver.requests).to.deep.equal([]);
    });

    it('goes to the next address of a name when nobody answers at the first', async () => {
      const both: Lookup = async () => ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }));

      expect(await call({ url: named() }, both)).to.deep.equal({ status: 200, error: null });
    });

    it('goes to a name that ends in a dot', async () => {
      const delivery = await call({ url: receiver.url('/', `${RECEIVER_NAME}.`) }, resolvingTo('127.0.0.1'));

      expect(delivery).to.deep.equal({ status: 200, error: null });
      expect(receiver.requests[0]).to.include({ servername: RECEIVER_NAME });
    });

    it('does not go anywhere without https', async () => {
      const delivery = await call({ url: `http://127.0.0.1:${receiver.port}/` });

      expect(delivery).to.deep.equal({ status: null, error: 'address is not an https address' });
    });
  });

  const named = () => receiver.url('/', RECEIVER_NAME);
});

/** Answers one address after the other. */
function resolvingTo(...addresses: string[]): Lookup {
  let next = 0;
  return async () => [{ address: addresses[next++] ?? 'asked too often', family: 4 }];
}
