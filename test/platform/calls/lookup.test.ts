// Looks names up at a real name server, which answers some names and is silent about others.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Lookup, lookupBy, systemLookup } from '../../../src/platform/calls/lookup.ts';

const A = 1;
const AAAA = 28;
const IPV6 = '20010db8000000000000000000000001';
/** Answers by name and type, with addresses as bytes. Other questions get no answer. */
const RECORDS: Record<string, Record<number, Buffer[]>> = {
  'both.test': { [A]: [Buffer.from([8, 8, 8, 8])], [AAAA]: [Buffer.from(IPV6, 'hex')] },
  'two.test': { [A]: [Buffer.from([8, 8, 8, 8]), Buffer.from([10, 0, 0, 1])], [AAAA]: [] },
  'unknown.invalid': {},
};

describe('looking a name up', () => {
  let server: Socket;
  let folder: string;
  let lookup: Lookup;
  before(async () => {
    server = createSocket('udp4', (query, { port }) => {
      const answer = answerTo(query);
      if (answer) server.send(answer, port, '127.0.0.1');
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    folder = await mkdtemp(join(tmpdir(), 'forecourt-lookup-'));
    const hostsFile = join(folder, 'hosts');
    await writeFile(
      hostsFile,
      '127.0.0.1 localhost\n10.1.2.3\tBoth.Here other.here # comment\n# 1.1.1.1 both.here\n::1 both.here\n',
    );
    lookup = lookupBy({ servers: [`127.0.0.1:${server.address().port}`], hostsFile });
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('finds all addresses of both kinds', async () => {
    expect(await lookup('both.test')).to.deep.equal([
      { address: '8.8.8.8', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
    expect(await lookup('two.test')).to.deep.equal([
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]);
  });

  it('reads the hosts file first', async () => {
    expect(await lookup('BOTH.here.')).to.deep.equal([
      { address: '10.1.2.3', family: 4 },
      { address: '::1', family: 6 },
    ]);
  });

  it('rejects an unknown name', async () => {
    const error = await lookup('unknown.invalid').catch((reason) => reason);

    expect(error).to.include({ code: 'ENOTFOUND' });
  });

  it('does not ask the system if nobody waits any more', async () => {
    const error = await lookup('unknown.invalid', AbortSignal.abort()).catch((reason) => reason);

    expect(error).to.include({ name: 'AbortError' });
  });

  it('is not delayed by a name server that is silent about another name', async () => {
    let ended = 0;
    for (let index = 0; index < 50; index += 1) {
      lookup(`dead${index}.test`).catch(() => {
        ended += 1;
      });
    }

    const live = await lookup('both.test');

    expect(live).to.have.length(2);
    expect(ended).to.equal(0);
  });

  it('finds names that only the system knows', async () => {
    expect(await systemLookup('localhost')).to.deep.include({ address: '127.0.0.1', family: 4 });
  });
});

/** The answer to one question. Undefined if the server does not answer. */
function answerTo(query: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const records = RECORDS[labels.join('.').toLowerCase()];
  if (!records) return undefined;
  const type = query.readUInt16BE(at + 1);
  const found = records[type] ?? [];
  const unknown = Object.keys(records).length === 0;
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(unknown ? 0x8183 : 0x8180, 2);
  for (const [count, place] of [
    [1, 4],
    [found.length, 6],
    [0, 8],
    [0, 10],
  ] as const)
    head.writeUInt16BE(count, place);
  const answers = found.map((address) => {
    const record = Buffer.from('c00c0000000100000000' + '0000', 'hex');
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(address.length, 10);
    return Buffer.concat([record, address]);
  });
  return Buffer.concat([head, query.subarray(12, at + 5), ...answers]);
}
