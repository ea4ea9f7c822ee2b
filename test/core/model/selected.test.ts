// Columns that a query declares: the driver gives their values in the types that the declaration says.

import { expect } from 'chai';
import { hasValue } from '../../../src/business/books/fragment.ts';
import { instant, rowCount, sumOf } from '../../../src/core/model/statements/fragment.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import {
  columns,
  decimal,
  many,
  one,
  orNull,
  selected,
  text,
  whole,
} from '../../../src/core/model/statements/selected.ts';
import { Contact } from '../../../src/core/resources/contact.ts';
import { Order } from '../../../src/core/resources/order.ts';
import { OrderLine } from '../../../src/core/resources/order-line.ts';
import { seededOwner, useDatabase } from '../../business/seed/seeded.ts';

const DECIMAL = /^-?\d+\.\d+$/;
const INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/;

describe('declared columns', () => {
  const database = useDatabase();
  let owner: number;

  before(async function () {
    this.timeout(60_000);
    owner = await seededOwner(database(), 40);
  });

  it('of sums, conditions, instants and joins have their types', async () => {
    const lines = OrderLine.of(garageOf(database(), owner), 'l')
      .join('orders as o', 'o.id', 'l.order_id')
      .leftJoin('orders as c', (join) => join.on('c.id', 'o.id').andOnVal('c.id', 0))
      .groupBy('l.line_kind', 'o.order_date', 'none');

    const rows = await selected(lines, {
      ...columns(OrderLine, 'l', 'line_kind'),
      count: whole(rowCount()),
      is_labour: whole(hasValue('l.line_kind', 1)),
      net: decimal(sumOf('l.line_net')),
      at: text(instant('o.order_date')),
      none: orNull(whole('c.id')),
    });

    expect(rows).to.not.be.empty;
    for (const { line_kind, count, is_labour, net, at, none } of rows) {
      expect([typeof line_kind, typeof count, none]).to.deep.equal(['number', 'number', null]);
      expect(is_labour).to.equal(line_kind === 1 ? 1 : 0);
      expect([net, at]).to.satisfy(() => DECIMAL.test(net) && INSTANT.test(at));
    }
  });

  it('of relations hold nothing else', async () => {
    const orders = Order.of(garageOf(database(), owner)).orderBy('id').limit(3);

    const rows = await selected(orders, columns(Order, 'orders', 'id', 'contact_id'), {
      contact: one(columns(Contact, 'contacts', 'id')),
      orderline: many(columns(OrderLine, 'orderlines', 'order_id')),
    });

    expect(rows).to.have.lengthOf(3);
    for (const { id, contact_id, contact, orderline } of rows) {
      expect(JSON.parse(JSON.stringify(contact))).to.deep.equal({ id: contact_id });
      expect(orderline.map(({ order_id }) => order_id)).to.satisfy((ids: number[]) =>
        ids.every((one) => one === id),
      );
    }
  });
});
