// The lists, by name and by value.

import { expect } from 'chai';
import { has, isListName, LISTS, lowerNameOf, nameOf, rowOf } from '../../../src/core/trade/lists.ts';

describe('lists', () => {
  it('have no value twice', () => {
    for (const [list, values] of Object.entries(LISTS)) {
      const distinct = new Set<number>(Object.values(values));

      expect(distinct.size, list).to.equal(Object.keys(values).length);
    }
  });

  it('have the order types of the specification', () => {
    const types = LISTS.ordertypes;

    expect(types).to.deep.equal({
      WORKSHOP: 1,
      VEHICLE_SALES: 2,
      VEHICLE_PURCHASE: 3,
      INTERNAL_REVERSAL: 4,
      BPM: 5,
    });
  });

  it('name a value, also in lower case', () => {
    const { IN_PROGRESS } = LISTS.orderstatuses;

    expect(nameOf('orderstatuses', IN_PROGRESS)).to.equal('IN_PROGRESS');
    expect(lowerNameOf('orderstatuses', IN_PROGRESS)).to.equal('in_progress');
    expect(nameOf('orderstatuses', 9)).to.equal(undefined);
  });

  it('know their values', () => {
    const held = [-1, 0, 1, 1.5, 2].filter((value) => has('publishstatuses', value));

    expect(held).to.deep.equal([0, 1]);
  });

  it('do not take an inherited property for a list', () => {
    const names = ['ordertypes', 'constructor', '__proto__', 'toString', ''];

    expect(names.filter(isListName)).to.deep.equal(['ordertypes']);
  });

  it('find the row of a value, and refuse a number that is no value', () => {
    const rows = { 1: 'individual', 2: 'global' };

    expect(rowOf('marginmethods', rows, 2)).to.equal('global');
    expect(() => rowOf('marginmethods', rows, 3)).to.throw(RangeError, 'Unknown value of marginmethods: 3');
  });
});
