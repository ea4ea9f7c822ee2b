import { expect } from 'chai';
import { Owner } from '../../../src/core/resources/owner.ts';
import {
  CASH_METHODS,
  methodOf,
  methodRow,
  PAYMENT_METHODS,
} from '../../../src/core/trade/kinds/payment-method.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';

const { CASH, PIN, BANK, IDEAL, OFFSET, OTHER } = LISTS.paymentmethods;

describe('payment methods', () => {
  it('have a ledger account that is a field of the garage', () => {
    const accounts = PAYMENT_METHODS.flatMap((method) => methodRow(method).account ?? []);

    expect(accounts).to.have.length(PAYMENT_METHODS.length - 1);
    expect(accounts.filter((field) => !Owner.resource.fields.has(field))).to.deep.equal([]);
    expect(methodRow(OFFSET).account).to.equal(null);
  });

  it('have a journal of their own', () => {
    const journals = PAYMENT_METHODS.map((method) => methodRow(method).journal);

    expect(journals.map(methodOf)).to.deep.equal([...PAYMENT_METHODS]);
    expect(journals).to.not.include.members(['sales']);
    expect([methodOf('sales'), methodOf('purchases')]).to.deep.equal([undefined, undefined]);
  });

  it('have journals of Exact and types of the Auditfile', () => {
    const rows = [CASH, PIN, BANK, IDEAL, OFFSET, OTHER].map(methodRow);

    expect(rows.map(({ exact }) => exact)).to.deep.equal(['10', '20', '20', '20', '90', '20']);
    expect(rows.map(({ auditfile }) => auditfile)).to.deep.equal(['C', 'B', 'B', 'B', 'M', null]);
  });

  it('are cash, or made by the service alone, if their row says so', () => {
    const made = PAYMENT_METHODS.filter((method) => !methodRow(method).byRequest);

    expect(CASH_METHODS).to.deep.equal([CASH]);
    expect(made).to.deep.equal([OFFSET]);
  });
});
