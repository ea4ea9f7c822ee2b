// The lines of a backup are the JSON that the service shows, for any row of any resource.
import fc from 'fast-check';
import type { Row, Stored } from '../../../src/core/model/fields/field.ts';
import type { Resource } from '../../../src/core/model/records/record.ts';
import { allResources, resourceNamed } from '../../../src/core/model/records/registry.ts';
import { serializer } from '../../../src/core/model/records/serialize.ts';
import { tableOf } from '../../../src/core/model/records/table.ts';
import { Lines } from '../../../src/platform/zip/ndjson.ts';
import { expect } from '../../support/client/expect.ts';

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
  it('have the JSON that the service shows, for any row', () => {
    for (const resource of allResources()) {
      const serialize = serializer(resource);
      const rows = fc.array(rowOf(resource), { maxLength: 5 });
      const isShown = fc.property(rows, (some) => {
        expect(written(resource, some)).to.equal(some.map((row) => `${serialize(row)}\n`).join(''));
      });
      fc.assert(isShown, { numRuns: 50 });
    }
  });

  it('may be longer than a chunk', () => {
    const contact = resourceNamed('contact');
    const row = { id: 1, notes: '\u0001"€😀'.repeat(100_000), city: 'é\n\\'.repeat(100_000) };

    expect(written(contact, [row, row])).to.equal(`${serializer(contact)(row)}\n`.repeat(2));
  });

  it('stay one line if a stored object has several', () => {
    const party = resourceNamed('invoiceparty');

    const line = written(party, [{ id: 1, seller: '{\n  "name": "a\\nb"\n}' }]);

    expect(line.indexOf('\n')).to.equal(line.length - 1);
    expect(JSON.parse(line).seller).to.deep.equal({ name: 'a\nb' });
  });

  it('leave in chunks of 128 KiB, each of whole lines, and are counted', () => {
    const order = resourceNamed('order');
    const lines = new Lines(tableOf(order).columns);

    const chunks = chunksOf(
      lines,
      Array.from({ length: 1_000 }, (_, id) => arrayOf(order, { id })),
    );

    const last = chunks.map((chunk) => JSON.parse(chunk.toString().trimEnd().split('\n').at(-1) ?? '').id);
    for (const chunk of chunks.slice(0, -1)) expect(chunk.length).to.be.within(2 ** 17, 2 ** 17 + 2 ** 12);
    expect(chunks.length).to.be.greaterThan(2);
    expect(lines.count).to.equal(1_000);
    expect([last.at(-1), lines.last]).to.deep.equal([999, 999]);
  });

  it('are none without rows', () => {
    const lines = new Lines(tableOf(resourceNamed('order')).columns);

    expect(chunksOf(lines, [])).to.have.lengthOf(0);
  });
});

function written(resource: Resource, rows: readonly Row[]): string {
  const arrays = rows.map((row) => arrayOf(resource, row));
  return Buffer.concat(chunksOf(new Lines(tableOf(resource).columns), arrays)).toString();
}

const chunksOf = (lines: Lines, rows: readonly Stored[][]): Buffer[] =>
  [...rows.map((row) => lines.add(row)), lines.rest()].filter((chunk) => chunk !== undefined);

/** A row as the database sends it: the values of the columns, in their order. */
const arrayOf = ({ columns }: Resource, row: Row): Stored[] => columns.map((name) => row[name] ?? null);

function rowOf(resource: Resource): fc.Arbitrary<Row> {
  const values = resource.columns.map((name) => {
    const field = resource.fields.get(name);
    if (field?.kind === 'json') return [name, fc.constantFrom('{}', '{"a":"é"}')];
    return [name, fc.option(SAMPLES[field?.datatype ?? ''] ?? SAMPLES.text ?? fc.constant(null))];
  });
  return fc.record(Object.fromEntries(values));
}

const decimal = (units: bigint, scale: number) => {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
};
