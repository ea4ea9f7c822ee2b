// Seeding as a whole: row counts, variety, the same data for the same seed, and seeding an owner twice.
import { expect } from 'chai';
import { seed } from '../../../src/business/seed/seed.ts';
import type { Row } from '../../../src/core/model/fields/field.ts';
import { nextNumber } from '../../../src/core/model/records/counter.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { distinct, newOwner, ownedResources, rowsOf, seededOwner, useDatabase } from './seeded.ts';

describe('seed', () => {
  const database = useDatabase();

  it('answers the number of rows it made', async () => {
    const owner = await newOwner(database());

    const made = await seed(database(), { owner, orders: 120 });

    // The first settings are there before.
    const { vatregime = 0, ...counts } = await countsOf(owner);
    expect(made).to.deep.equal({ ...counts, vatregime: vatregime - 1 });
    expect(made).to.include({ order: 120, invoiceparty: 40 });
  });

  it('makes at least three records of each resource for ten orders, whatever the seed', async () => {
    for (let random = 1; random <= 10; random += 1) {
      const counts = await countsOf(await seededOwner(database(), 10, String(random)));

      expect(counts.order).to.equal(10);
      for (const { name } of ownedResources())
        expect(counts[name] ?? 0, `records of ${name}: write some in src/business/seed`).to.be.at.least(3);
    }
  });

  it('makes every type and state among sixty orders, and invoices a third of them', async () => {
    const orders = await rowsOf(database(), await seededOwner(database(), 60), 'order');

    expect(distinct(orders, 'order_type')).to.have.members(Object.values(LISTS.ordertypes));
    expect(distinct(orders, 'order_status')).to.have.members(Object.values(LISTS.orderstatuses));
    expect(orders.filter(({ is_invoiced }) => is_invoiced === 1)).to.have.lengthOf(20);
  });

  it('makes the same records for the same seed, and others for another seed', async () => {
    const one = await comparable(await seededOwner(database(), 40, 'x'));
    const same = await comparable(await seededOwner(database(), 40, 'x'));
    const other = await comparable(await seededOwner(database(), 40, 'y'));

    expect(same).to.deep.equal(one);
    expect(other).not.to.deep.equal(one);
  });

  it('can seed the same owner twice', async () => {
    const owner = await seededOwner(database(), 40);

    await seed(database(), { owner, orders: 40 });

    const orders = await rowsOf(database(), owner, 'order');
    expect(orders.map(({ order_number }) => order_number)).to.have.members(upTo(80));
    expect(invoiceCounts(orders)).to.deep.equal(upToEach(orders));
  });

  it('numbers invoices by date across slices', async () => {
    const progress: number[][] = [];
    const owner = await newOwner(database());

    await seed(database(), { owner, orders: 1500, onProgress: (...now) => progress.push(now) });

    const orders = await rowsOf(database(), owner, 'order');
    const dates = orders
      .filter(({ invoice_number }) => SALES.test(String(invoice_number)))
      .sort(byNumber)
      .map(({ invoice_date }) => invoice_date);
    expect(progress).to.deep.equal([
      [0, 1500],
      [750, 1500],
      [1500, 1500],
    ]);
    expect(invoiceCounts(orders)).to.deep.equal(upToEach(orders));
    expect(dates).to.deep.equal([...dates].sort());
  });

  it('leaves the next numbers to the service', async () => {
    const owner = await seededOwner(database(), 40);
    const orders = await rowsOf(database(), owner, 'order');
    const contacts = await rowsOf(database(), owner, 'contact');
    const [[year = '', counts = []] = []] = Object.entries(invoiceCounts(orders));

    expect(await nextNumber(garageOf(database(), owner), 'order')).to.equal(41);
    expect(await nextNumber(garageOf(database(), owner), 'contact')).to.equal(contacts.length + 1);
    expect(await nextNumber(garageOf(database(), owner), `invoice:${year}`)).to.equal(counts.length + 1);
  });

  it('refuses an owner that does not exist', async () => {
    const refused = await seed(database(), { owner: 999_999, orders: 1 }).catch((error: Error) => error);

    expect(refused).to.include({ status: 404, message: 'Field: [id] value: [999999] not found' });
  });

  /** By resource, without resources that have no records. */
  async function countsOf(owner: number): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { name } of ownedResources()) {
      const { length } = await rowsOf(database(), owner, name);
      if (length > 0) counts[name] = length;
    }
    return counts;
  }

  /** All records without IDs and times of writing. */
  async function comparable(owner: number): Promise<Record<string, unknown[]>> {
    const all: Record<string, unknown[]> = {};
    for (const { name } of ownedResources())
      all[name] = (await rowsOf(database(), owner, name)).map(withoutIds);
    return all;
  }
});

const IDS_AND_TIMES = /^(id|.*_id|created_at|modified_at)$/;

function withoutIds(row: Row): unknown {
  return JSON.parse(JSON.stringify(row), (key, value) => {
    if (IDS_AND_TIMES.test(key)) return undefined;
    return ['seller', 'buyer', 'vehicles'].includes(key) ? withoutIds(JSON.parse(value)) : value;
  });
}

const SALES = /^F(\d{4})(\d{5})$/;

/** The counts at the end of the numbers of sales, sorted, by year. */
function invoiceCounts(orders: readonly Row[]): Record<string, number[]> {
  const counts: Record<string, number[]> = {};
  for (const { invoice_number } of orders) {
    const [, year, count] = SALES.exec(String(invoice_number)) ?? [];
    if (year) counts[year] = [...(counts[year] ?? []), Number(count)].sort((one, other) => one - other);
  }
  return counts;
}

/** The counts as they must be: without a gap in any year. */
function upToEach(orders: readonly Row[]): Record<string, number[]> {
  return Object.fromEntries(
    Object.entries(invoiceCounts(orders)).map(([year, { length }]) => [year, upTo(length)]),
  );
}

const upTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1);

const byNumber = (one: Row, other: Row) =>
  String(one.invoice_number) < String(other.invoice_number) ? -1 : 1;
