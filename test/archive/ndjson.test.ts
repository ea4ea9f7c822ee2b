// Lines written byte by byte are those that the serializer makes, for any row of any resource.
import fc from 'fast-check';
import { LineBuffers } from '../../src/archive/line-buffers.ts';
import { LineWriter } from '../../src/archive/ndjson.ts';
import type { RowBytes } from '../../src/archive/row-bytes.ts';
import type { Row, Stored } from '../../src/model/field.ts';
import type { Resource } from '../../src/model/record.ts';
import { allResources, resourceNamed } from '../../src/model/registry.ts';
import { serializer } from '../../src/model/serialize.ts';
import { tableOf } from '../../src/model/table.ts';
import { expect } from '../support/expect.ts';

const SAMPLES: Record<string, fc.Arbitrary<Stored>> = {
  text: fc.string({ unit: 'binary', maxLength: 300 }),
  int4: fc.integer({ min: -2147483648, max: 2147483647 }),
  timestamp: fc.oneof(
    fc
      .date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().replace('T', ' ').slice(0, 23)),
    fc.constantFrom('2026-05-01 10:30:00', '2026-05-01 10:30:00.5'),
  ),
  float8: fc.oneof(
    fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map((units) => decimal(units, 4)),
    fc.bigInt({ min: -100000n, max: 100000n }).map((units) => decimal(units, 2)),
    fc.constantFrom('0.00', '-0.00', '0.0000', '100.00', '-100.0000', '10', '0.0001', '99999999999999.99'),
  ),
};

describe('lines of records', () => {
  it('are what the service shows, whatever the row holds', () => {
    for (const resource of allResources()) {
      const serialize = serializer(resource);
      fc.assert(
        fc.property(fc.array(rowOf(resource), { maxLength: 5 }), (rows) => {
          expect(written(resource, rows)).to.equal(rows.map((row) => `${serialize(row)}\n`).join(''));
        }),
        { numRuns: 50 },
      );
    }
  });

  it('may be longer than what is written at a time', () => {
    const contact = resourceNamed('contact');
    const row = { id: 1, notes: '\u0001"€😀'.repeat(100_000), city: 'é\n\\'.repeat(100_000) };

    expect(written(contact, [row, row])).to.equal(`${serializer(contact)(row)}\n`.repeat(2));
  });

  it('stay one line where an object was stored on several', () => {
    const party = resourceNamed('invoiceparty');

    const text = written(party, [{ id: 1, seller: '{\n  "name": "a\\nb"\n}' }]);

    expect(text.indexOf('\n')).to.equal(text.length - 1);
    expect(JSON.parse(text).seller).to.deep.equal({ name: 'a\nb' });
  });

  it('are full in time, and begin anew when they are taken', () => {
    const order = resourceNamed('order');
    const lines = new LineWriter(tableOf(order), new LineBuffers());
    let rows = 0;
    for (; !lines.isFull; rows += 1) lines.write(sent(withId(order, rows)));

    const taken = lines.take();
    lines.write(sent(withId(order, 7)));

    expect(taken.length).to.be.within(2 ** 17, 2 ** 18);
    expect(taken.toString().split('\n')).to.have.lengthOf(rows + 1);
    expect(JSON.parse(lines.take().toString()).id).to.equal(7);
  });

  it('go into the memory of what was given back, and of nothing else', () => {
    const owner = resourceNamed('owner');
    const buffers = new LineBuffers();
    const lines = new LineWriter(tableOf(owner), buffers);
    const take = (id: number) => {
      lines.write(sent(withId(owner, id)));
      return lines.take();
    };
    const [one, two] = [take(1), take(2)];

    buffers.giveBack(two.subarray(1));
    buffers.giveBack(Buffer.from('another'));
    buffers.giveBack(one);
    buffers.giveBack(one);
    const [three, four, five] = [take(3), take(4), take(5)];

    expect(three.buffer).to.equal(one.buffer);
    expect(new Set([two, three, four, five].map(({ buffer }) => buffer))).to.have.property('size', 4);
    expect([two, three, four, five].map((text) => JSON.parse(String(text)).id)).to.deep.equal([2, 3, 4, 5]);
  });
});

function written(resource: Resource, rows: readonly Row[]): string {
  const lines = new LineWriter(tableOf(resource), new LineBuffers());
  for (const row of rows) lines.write(sent(resource.columns.map((name) => row[name] ?? null)));
  return lines.take().toString();
}

/** A row that holds nothing else. */
const withId = ({ columns }: Resource, id: number): Stored[] =>
  columns.map((name) => (name === 'id' ? id : null));

/** A row as the server sends it, somewhere in what it sent. */
function sent(values: readonly Stored[]): RowBytes {
  const before = Buffer.from('before');
  const bytes = values.flatMap((value) => {
    if (value === null) return [Buffer.from([0xfb])];
    const text = Buffer.from(String(value));
    return [lengthOf(text.length), text];
  });
  const buffer = Buffer.concat([before, ...bytes, Buffer.from('after')]);
  return { buffer, offset: before.length, end: buffer.length - 'after'.length };
}

/** In the fewest bytes that hold it, as the protocol wants it. */
function lengthOf(length: number): Buffer {
  if (length < 0xfb) return Buffer.from([length]);
  const bytes = length < 2 ** 16 ? 2 : length < 2 ** 24 ? 3 : 8;
  const buffer = Buffer.alloc(1 + bytes, bytes === 2 ? 0xfc : bytes === 3 ? 0xfd : 0xfe);
  buffer.fill(0, 1).writeUIntLE(length, 1, Math.min(bytes, 6));
  return buffer;
}

function rowOf(resource: Resource): fc.Arbitrary<Row> {
  const values = resource.columns.map((name) => {
    const field = resource.fields.get(name);
    if (field?.schema.type === 'object') return [name, fc.constantFrom('{}', '{"a":"é"}')];
    return [name, fc.option(SAMPLES[field?.datatype ?? ''] ?? SAMPLES.text ?? fc.constant(null))];
  });
  return fc.record(Object.fromEntries(values));
}

const decimal = (units: bigint, scale: number) => {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
};
