// The legal scale of collection costs, with amounts computed by hand.
import { expect } from 'chai';
import { collectionCosts } from '../../../src/core/trade/collection-costs.ts';
import { cents, euros } from '../../../src/core/trade/totals.ts';

describe('collection costs', () => {
  const costs = (debt: string) => euros(collectionCosts(cents(debt)));

  it('are at least 40 euros', () => {
    expect([costs('0.01'), costs('100'), costs('266.66')]).to.deep.equal(['40.00', '40.00', '40.00']);
  });

  it('are 15, 10, 5, 1 and a half percent of the parts of a debt', () => {
    const debts = ['266.70', '300', '2500', '5000', '7500', '10000', '200000', '300000'];

    expect(debts.map(costs)).to.deep.equal([
      '40.01',
      '45.00',
      '375.00',
      '625.00',
      '750.00',
      '875.00',
      '2775.00',
      '3275.00',
    ]);
  });

  it('are 6,775 euros at most', () => {
    expect([costs('999999'), costs('1000000'), costs('5000000')]).to.deep.equal([
      '6775.00',
      '6775.00',
      '6775.00',
    ]);
  });
});
