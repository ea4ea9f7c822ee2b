// What a credit note undoes of the history of a car, without a database.
import { expect } from 'chai';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import { type CarMove, returnedCost, undone } from '../../../../src/core/trade/order-case/car-history.ts';

const { CUSTOMER, STOCK, SOLD } = LISTS.stockstatuses;
const { MARGIN } = LISTS.taxkinds;
const ANN = 101;
const BEN = 102;
const CAS = 103;

const bought = (order: number, purchase_price: string, party = ANN): CarMove => ({
  ...{ order, party, at: `day ${order}`, cost: null, bpm: null },
  bought: { purchase_price, tax_kind: MARGIN },
});
const sold = (
  order: number,
  party: number,
  cost: string | null = null,
  bpm: string | null = null,
): CarMove => ({
  ...{ order, party, at: `day ${order}`, cost, bpm },
  bought: undefined,
});
const credit = (takesBack: number) => ({ by: 100 + takesBack, takesBack });
const paid = (order: number, purchase_price: string) => ({
  purchase_date: `day ${order}`,
  purchase_price,
  tax_kind: MARGIN,
});
const UNPAID = { purchase_date: null, purchase_price: null };

describe('a credit note of an invoice that moved a car', () => {
  it('leaves a car that another invoice has moved since, or that it did not move', () => {
    expect(undone(1, [bought(1, '5000'), sold(2, BEN)])).to.equal(undefined);
    expect(undone(2, [bought(1, '5000'), sold(2, BEN), bought(3, '5500', BEN)])).to.equal(undefined);
    expect(undone(9, [bought(1, '5000')])).to.equal(undefined);
    expect(undone(9, [])).to.equal(undefined);
  });

  it('of a sale brings the car back into stock, with the price that somebody may have changed by hand', () => {
    expect(undone(2, [bought(1, '5000'), sold(2, BEN)])).to.deep.equal({
      ...{ stock_status: STOCK, owner: null, paid: undefined, isOfSale: true },
    });
    expect(undone(2, [sold(2, BEN)])).to.deep.equal({
      ...{ stock_status: STOCK, owner: null, paid: undefined, isOfSale: true },
    });
  });

  it('of a purchase returns the car to its seller, or to what the invoice before left', () => {
    expect(undone(1, [bought(1, '5000')])).to.deep.equal({
      ...{ stock_status: CUSTOMER, owner: ANN, paid: UNPAID, isOfSale: false },
    });
    expect(undone(2, [bought(1, '5000'), bought(2, '5500', BEN)])).to.deep.equal({
      ...{ stock_status: STOCK, owner: null, paid: paid(1, '5000'), isOfSale: false },
    });
    expect(undone(3, [bought(1, '5000'), sold(2, BEN), bought(3, '5500', CAS)])).to.deep.equal({
      ...{ stock_status: SOLD, owner: BEN, paid: paid(1, '5000'), isOfSale: false },
    });
  });

  it('of a purchase returns the BPM of the sale before', () => {
    const events = [bought(1, '5000'), sold(2, BEN, '5000', '300'), bought(3, '5500', BEN)];

    expect(undone(3, events)).to.include({ stock_status: SOLD, bpm: '300' });
    expect(undone(2, events.slice(0, 2))).not.to.have.property('bpm');
  });

  it('passes invoices that are credited', () => {
    const events = [bought(1, '5000'), sold(2, BEN), bought(3, '5500', BEN), sold(4, CAS)];

    expect(undone(4, [...events, credit(3)])).to.deep.equal({
      ...{ stock_status: SOLD, owner: BEN, paid: paid(1, '5000'), isOfSale: true },
    });
    expect(undone(4, [...events, credit(3), credit(2)])).to.deep.equal({
      ...{ stock_status: STOCK, owner: null, paid: paid(1, '5000'), isOfSale: true },
    });
    expect(undone(4, [...events, credit(3), credit(2), credit(1)])).to.deep.equal({
      ...{ stock_status: CUSTOMER, owner: BEN, paid: UNPAID, isOfSale: true },
    });
  });

  it('of a sale returns the car to the seller of its purchase, if that one is credited', () => {
    expect(undone(2, [bought(1, '5000'), sold(2, BEN), credit(1)])).to.deep.equal({
      ...{ stock_status: CUSTOMER, owner: ANN, paid: UNPAID, isOfSale: true },
    });
  });

  it('knows the price of a car that came into stock by hand from the line that sold it', () => {
    expect(undone(2, [sold(1, BEN, '8500.00'), bought(2, '9000', BEN)])).to.deep.equal({
      ...{ stock_status: SOLD, owner: BEN, isOfSale: false },
      paid: { purchase_date: null, purchase_price: '8500.00' },
    });
    expect(undone(2, [sold(1, BEN), sold(2, CAS)])?.stock_status).to.equal(STOCK);
  });
});

describe('the cost of a car after a credit note', () => {
  const cost = (order: number, party: number) => sold(order, party, '5000.00');

  it('leaves the stock once: by the sale, or by the credit note of the purchase', () => {
    expect(returnedCost(1, [bought(1, '5000')])).to.deep.equal({ isSpent: false, sale: undefined });
    expect(returnedCost(1, [bought(1, '5000'), cost(2, BEN)])).to.deep.equal({
      isSpent: true,
      sale: undefined,
    });
    expect(returnedCost(1, [bought(1, '5000'), sold(2, BEN)]).isSpent).to.equal(false);
    expect(returnedCost(1, [bought(1, '5000'), cost(2, BEN), credit(2)]).isSpent).to.equal(false);
    expect(returnedCost(1, [bought(1, '5000'), bought(2, '5500'), cost(3, BEN)]).isSpent).to.equal(false);
  });

  it('comes back with the car', () => {
    const events = [bought(1, '5000'), cost(2, BEN)];
    expect(returnedCost(2, events).sale).to.equal(2);
    expect(returnedCost(2, [cost(2, BEN)]).sale).to.equal(2);
    expect(returnedCost(2, [...events, credit(1)]).sale).to.equal(undefined);
    expect(returnedCost(2, [...events, bought(3, '5500', BEN)]).sale).to.equal(undefined);
    expect(returnedCost(3, [...events, bought(3, '5500', BEN)]).sale).to.equal(undefined);
    expect(returnedCost(3, [...events, bought(3, '5500', BEN), credit(2)]).sale).to.equal(2);
  });
});
