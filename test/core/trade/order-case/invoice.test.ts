// What an order, its payer and its lines lack to become an invoice.
import { expect } from 'chai';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import {
  judgeApproval,
  missingAddress,
  missingLines,
  missingVehicle,
  needsCountries,
  unfitPurchase,
  unfitVatCodes,
  unusableDays,
} from '../../../../src/core/trade/order-case/invoice.ts';
import { lineOf } from '../../../support/build/case-line.ts';

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL } = LISTS.ordertypes;
const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
const { PERSON, COMPANY } = LISTS.contactkinds;
const { HIGH, MARGIN, REVERSE_CHARGE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;
const { APPROVED, PARTLY, DRAFT } = LISTS.approvalstatuses;

const payer = (more: object = {}) => ({
  id: 5,
  contact_kind: PERSON as number,
  company_name: null,
  last_name: 'Jansen',
  street: 'Kade',
  huisnummer: 1,
  postcode: '3511 AB',
  city: 'Utrecht',
  country_id: 1,
  vat_number: null,
  self_billing_agreed_at: null,
  ...more,
});
const fields = (found: readonly { readonly field?: string }[]) => found.map(({ field }) => field);

describe('an order that becomes an invoice', () => {
  it('has lines, and a sale has a car', () => {
    expect(fields(missingLines([]))).to.deep.equal(['orderline']);
    expect(missingLines([1])).to.deep.equal([]);
    const sale = { order_type: VEHICLE_SALES, vehicle_id: null, deposit_of_order_id: null };
    expect(fields(missingVehicle(sale))).to.deep.equal(['vehicle_id']);
    expect(missingVehicle({ ...sale, deposit_of_order_id: 3 })).to.deep.equal([]);
    expect(missingVehicle({ ...sale, order_type: WORKSHOP })).to.deep.equal([]);
  });

  const ADDRESSES: [string, object, string[]][] = [
    ['a whole address', {}, []],
    ['an empty street and city', { street: ' ', city: null }, ['street', 'city']],
    ['a person without a name', { last_name: null }, ['last_name']],
    ['a company without a name', { contact_kind: COMPANY, last_name: '' }, ['company_name']],
    ['a company with the name of a person', { contact_kind: COMPANY }, []],
  ];
  for (const [title, more, expected] of ADDRESSES)
    it(`has a payer with ${title}`, () => {
      expect(fields(missingAddress(payer(more)))).to.deep.equal(expected);
    });

  it('is paid within days that a date can have', () => {
    expect(unusableDays(0)).to.deep.equal([]);
    expect(fields(unusableDays(-1))).to.deep.equal(['payment_days']);
    expect(fields(unusableDays(1_000_000))).to.deep.equal(['payment_days']);
  });

  const PURCHASES: [string, number | null, object, object, (string | undefined)[]][] = [
    ['no proof', null, {}, {}, ['purchase_proof']],
    ['an invoice of the seller', SUPPLIER_INVOICE, { supplier_invoice_number: 'A-1' }, {}, []],
    ['an invoice without its number', SUPPLIER_INVOICE, {}, {}, ['supplier_invoice_number']],
    ['an own invoice', SELF_BILLED, {}, { vat_number: 'NL1', self_billing_agreed_at: '2026-01-01' }, []],
    ['an own invoice without agreement', SELF_BILLED, {}, {}, ['vat_number', 'self_billing_agreed_at']],
    ['a statement', STATEMENT, {}, {}, ['vat_code']],
    ['a statement of a company', STATEMENT, {}, { contact_kind: COMPANY }, ['purchase_proof', 'vat_code']],
  ];
  for (const [title, purchase_proof, order, seller, expected] of PURCHASES)
    it(`buys by ${title}`, () => {
      const lines = [lineOf(), lineOf({ vat_code: MARGIN }), lineOf({ line_gross: '0.00' })];
      const bought = {
        order_type: VEHICLE_PURCHASE,
        purchase_proof,
        supplier_invoice_number: null,
        ...order,
      };

      expect(fields(unfitPurchase(bought, payer(seller), lines))).to.deep.equal(expected);
      expect(unfitPurchase({ ...bought, order_type: WORKSHOP }, payer(seller), lines)).to.deep.equal([]);
    });
});

describe('VAT codes without VAT', () => {
  const countries = new Map([
    [1, { code: 'NL', is_eu: 1 }],
    [2, { code: 'DE', is_eu: 1 }],
    [3, { code: 'CH', is_eu: 0 }],
  ]);
  const CASES: [string, number, object, string[]][] = [
    ['the normal rate needs nothing', HIGH, {}, []],
    ['the reverse charge needs a VAT number', REVERSE_CHARGE, {}, ['vat_number']],
    ['the reverse charge takes any VAT number', REVERSE_CHARGE, { vat_number: 'x' }, []],
    ['a supply within the EU needs a VAT number', INTRA_COMMUNITY, { vat_number: ' ' }, ['vat_number']],
    [
      'a supply within the EU takes no Dutch number',
      INTRA_COMMUNITY,
      { vat_number: 'NL004495445B01' },
      ['vat_number'],
    ],
    [
      'a supply within the EU takes a German number',
      INTRA_COMMUNITY,
      { vat_number: 'DE136695976', country_id: 2 },
      [],
    ],
    ['an export leaves the EU', EXPORT, { country_id: 2 }, ['vat_code']],
    ['an export goes to Switzerland', EXPORT, { country_id: 3 }, []],
  ];
  for (const [title, vat_code, more, expected] of CASES)
    it(title, () => {
      const found = unfitVatCodes([lineOf({ vat_code })], { seller: payer(), buyer: payer(more) }, countries);

      expect(fields(found)).to.deep.equal(expected);
    });

  it('are judged on sales, and not again on their credit notes', () => {
    const lines = [lineOf({ vat_code: EXPORT })];
    expect(needsCountries({ order_type: WORKSHOP }, lines, undefined)).to.equal(true);
    expect(needsCountries({ order_type: WORKSHOP }, [lineOf()], undefined)).to.equal(false);
    expect(needsCountries({ order_type: VEHICLE_PURCHASE }, lines, undefined)).to.equal(false);
    const credit = { order_type: INTERNAL_REVERSAL };
    expect(needsCountries(credit, lines, undefined)).to.equal(true);
    expect(needsCountries(credit, lines, { order_type: WORKSHOP })).to.equal(false);
  });
});

describe('the approval of a lease company', () => {
  const approval = (more: object = {}) => ({
    contact_id: 5,
    approval_status: APPROVED as number,
    approved_net: '100.00',
    approval_number: 'L-1',
    valid_until: null,
    ...more,
  });
  const asked = { total_net: '100.00', payer: 5, now: '2026-05-01 10:00:00.000' };
  const CASES: [string, ReturnType<typeof approval>[], string | null, number][] = [
    ['is not needed', [], null, 0],
    ['fits', [approval()], 'L-1', 0],
    [
      'is the latest that fits',
      [approval(), approval({ approval_status: PARTLY, approval_number: 'L-2' })],
      'L-2',
      0,
    ],
    ['is of another amount', [approval({ approved_net: '99.99' })], null, 1],
    ['is of another payer', [approval({ contact_id: 6 })], null, 1],
    ['is a draft', [approval({ approval_status: DRAFT })], null, 1],
    ['is over', [approval({ valid_until: asked.now })], null, 1],
    ['is valid a moment longer', [approval({ valid_until: '2026-05-01 10:00:00.001' })], 'L-1', 0],
  ];
  for (const [title, approvals, number, refused] of CASES)
    it(title, () => {
      const judged = judgeApproval(approvals, asked);

      expect(judged.number).to.equal(number);
      expect(judged.refused).to.have.length(refused);
    });
});
