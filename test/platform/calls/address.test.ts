// Which addresses a webhook may have: every notation, and every range that is not publicly routable.
import type { LookupAddress } from 'node:dns';
import { expect } from 'chai';
import { parseWebhookUrl } from '../../../src/core/trade/identity/webhook-url.ts';
import { checkWebhookUrl, isPublicAddress } from '../../../src/platform/calls/address.ts';
import type { Lookup } from '../../../src/platform/calls/lookup.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.1.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.254',
  '2606:4700:4700::1111',
  '2a00:1450:400e:80f::200e',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
];

const NOT_PUBLIC = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'of a carrier': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  'site-local': ['fec0::1'],
  'unique local': ['fc00::1', 'fd00:ec2::254'],
  'for protocols': ['192.0.0.1', '192.88.99.1', '2001:1::1'],
  'for documentation': ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'for benchmarks': ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  reserved: ['240.0.0.1', '255.255.255.254', '4000::1', '5f00::1', '100::1'],
  broadcast: ['255.255.255.255'],
  mapped: [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:0.0.0.0',
  ],
  'translated (SIIT)': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  compatible: ['::127.0.0.1', '::7f00:1', '::8.8.8.8', '::808:808', '::10.0.0.1'],
  'NAT64 to what is private': ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::a9fe:a9fe'],
  'NAT64 of the network': ['64:ff9b:1::8.8.8.8', '64:ff9b:1:fffe::1'],
  '6to4 to what is private': ['2002:7f00:1::1', '2002:a00:1::', '2002:c0a8:1::1', '2002:a9fe:a9fe::'],
  Teredo: ['2001:0:808:808::1', '2001::1'],
  ORCHID: ['2001:10::1', '2001:20::1'],
  'no address': ['', 'localhost', '8.8.8', '010.0.0.1', '8.8.8.8.8', '1::2::3', '[::1]'],
};

describe('an IP address', () => {
  for (const address of PUBLIC) {
    it(`${address} is public`, () => {
      expect(isPublicAddress(address, [])).to.equal(true);
    });
  }

  for (const [what, addresses] of Object.entries(NOT_PUBLIC)) {
    it(`that is ${what} is not public`, () => {
      expect(addresses.filter((address) => isPublicAddress(address, []))).to.deep.equal([]);
    });
  }

  it('within an allowed range counts as public, in every notation', () => {
    const addresses = ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::5', '10.2.0.1', '::1', 'fd01::5', '8.8.8.8'];

    const allowed = addresses.filter((address) => isPublicAddress(address, ['10.1.0.0/16', 'fd00::/64']));

    expect(allowed).to.deep.equal(['10.1.2.3', '::ffff:10.1.2.3', 'fd00::5', '8.8.8.8']);
  });
});

const ACCEPTED = [
  'https://example.com',
  'HTTPS://EXAMPLE.COM/Hook',
  'https://example.com./hook',
  'https://example.com:8443/hook?a=1&b=%20#part',
  'https://bücher.example/hook',
  'https://8.8.8.8/',
  'https://8.8.8.8./',
  'https://134744072/',
  'https://[2606:4700:4700::1111]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::808:808]/',
  'https://localhost.example.com/',
  `https://example.com/${'a'.repeat(1_980)}`,
  `https://example.com/${'\u{1f697}'.repeat(1_980)}`,
];

const REFUSED = {
  'not https': [
    '',
    'example.com/hook',
    '//example.com/hook',
    'http://example.com/',
    'ftp://example.com/',
    'wss://example.com/',
    'httpsx://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
  ],
  'not a URL': [
    'https://',
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    'https:\\\\example.com',
    'https://example.com\\@10.0.0.1/',
    ' https://example.com/',
    'https://example.com/\n',
    'https://exam\tple.com/',
    'https://example.com/a b',
    'https://example.com/\u0000',
    'https://example.com:99999/',
    'https://exa mple.com/',
    'https://256.256.256.256/',
    'https://1.2.3.4.5/',
    'https://[::1',
    'https://[fe80::1%25eth0]/',
    'https://%00/',
  ],
  'with a user': [
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://:word@example.com/',
  ],
  'too long': [`https://example.com/${'a'.repeat(1_981)}`, `https://example.com/${'a'.repeat(100_000)}`],
  'a private address': [
    'https://127.0.0.1/',
    'https://127.0.0.1:8443/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://127.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0X7F.1/',
    'https://017700000001/',
    'https://0177.0.0.01/',
    'https://0/',
    'https://%31%32%37.0.0.1/',
    'https://１２７.０.０.１/',
    'https://①②⑦.0.0.1/',
    'https://127。0。0。1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]:8443/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b:1::8.8.8.8]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:1::1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[ff02::1]/',
  ],
  'this machine by name': [
    'https://localhost/',
    'https://localhost:8443/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://hook.localhost/',
    'https://hook.localhost./',
    'https://ｌocalhost/',
  ],
};

describe('the address of a webhook', () => {
  for (const value of ACCEPTED) {
    it(`may be ${value.slice(0, 60)}`, async () => {
      expect(await checkWebhookUrl(value, [], resolvingTo('8.8.8.8'))).to.equal(true);
    });
  }

  for (const [what, values] of Object.entries(REFUSED)) {
    for (const value of values) {
      it(`is refused, ${what}: ${JSON.stringify(value).slice(0, 60)}`, async () => {
        expect(await checkWebhookUrl(value, [], resolvingTo('8.8.8.8'))).to.equal(false);
      });
    }
  }

  it('is refused if any address of its name is private', async () => {
    const answers = [['10.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['8.8.8.8', '::1'], ['::ffff:127.0.0.1']];

    const checks = answers.map((all) => checkWebhookUrl('https://example.com/', [], resolvingTo(...all)));

    expect(await Promise.all(checks)).to.deep.equal([false, false, false, false]);
  });

  it('is accepted if every address of its name is public', async () => {
    const lookup = resolvingTo('8.8.8.8', '2606:4700:4700::1111');

    expect(await checkWebhookUrl('https://example.com/', [], lookup)).to.equal(true);
  });

  it('is accepted if its name does not resolve', async () => {
    expect(await checkWebhookUrl('https://nothing.invalid/', [])).to.equal(true);
    expect(await checkWebhookUrl('https://example.com/', [], resolvingTo())).to.equal(true);
  });

  it('is accepted if its name does not resolve in time', async () => {
    const never: Lookup = () => new Promise(() => {});

    expect(await checkWebhookUrl('https://example.com/', [], never, 10)).to.equal(true);
  });

  it('is looked up if it is a name, not if it is a number or this machine', async () => {
    const asked: string[] = [];
    const lookup: Lookup = async (name) => {
      asked.push(name);
      return [{ address: '8.8.8.8', family: 4 }];
    };

    const hosts = ['Bücher.Example.', '134744072', '[2606:4700:4700::1111]', 'localhost'];
    await Promise.all(hosts.map((host) => checkWebhookUrl(`https://${host}/`, ['127.0.0.0/8'], lookup)));

    expect(asked).to.deep.equal(['xn--bcher-kva.example.']);
  });

  it('may be on this machine if the operator allows it', async () => {
    const hosts = ['127.0.0.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]', '[::1]', '10.0.0.1'];

    const checks = hosts.map((host) => checkWebhookUrl(`https://${host}:8443/`, ['127.0.0.0/8']));

    expect(await Promise.all(checks)).to.deep.equal([true, true, true, true, false, false]);
  });

  it('is not changed by parsing', () => {
    const read = parseWebhookUrl('https://example.com/hook?b=1&a=%7e+%20');

    expect(read?.href).to.equal('https://example.com/hook?b=1&a=%7e+%20');
  });
});

const resolvingTo =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
