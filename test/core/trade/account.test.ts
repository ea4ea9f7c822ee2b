import { expect } from 'chai';
import { Owner } from '../../../src/core/resources/owner.ts';
import { TurnoverGroup } from '../../../src/core/resources/turnover-group.ts';
import { accountKind, isAccountName } from '../../../src/core/trade/kinds/account.ts';

const isAccount = (field: string) => field.endsWith('_account');
const FIELDS = [Owner, TurnoverGroup].flatMap(({ resource }) =>
  [...resource.fields.keys()].filter(isAccount),
);

describe('ledger accounts', () => {
  it('are the fields of the garage and of its turnover groups', () => {
    expect(FIELDS.filter((field) => !isAccountName(field))).to.deep.equal([]);
    expect(['account', 'toString', 'vat_codes'].filter(isAccountName)).to.deep.equal([]);
  });

  it('are of parties, of VAT, of profit and loss, or else of the balance sheet', () => {
    const of = (kind: string) =>
      FIELDS.filter((field) => isAccountName(field) && accountKind(field) === kind);

    expect(of('party')).to.deep.equal(['debtor_account', 'creditor_account']);
    expect(of('vat')).to.deep.equal([
      'vat_high_account',
      'vat_low_account',
      'input_vat_account',
      'margin_vat_account',
    ]);
    expect(of('result')).to.deep.equal([
      'margin_turnover_account',
      'rounding_account',
      'ledger_account',
      'cost_ledger_account',
    ]);
  });
});
