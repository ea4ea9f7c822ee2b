// The amounts of an e-invoice: lines, VAT groups and totals.
import fc from 'fast-check';
import { Decimal } from '../../../../src/core/trade/decimal.ts';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import { lineTotals } from '../../../../src/core/trade/totals.ts';
import { percentageOn } from '../../../../src/core/trade/vat-code.ts';
import { renderDocument } from '../../../../src/work/documents/pdf/document.ts';
import { totalsOf } from '../../../../src/work/documents/pdf/totals.ts';
import { expect } from '../../../support/client/expect.ts';
import { readPdf } from '../../../support/files/pdf.ts';
import { GROUPS, LINES, readUbl, TOTALS } from '../../../support/files/ubl.ts';
import { line, sample } from '../pdf/samples.ts';
import { eSample, xmlOf } from './samples.ts';

const { HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE } = LISTS.vatcodes;
const { TEXT } = LISTS.linekinds;
const { INTERNAL_REVERSAL, WORKSHOP } = LISTS.ordertypes;
const SCHEME = 'Bijzondere regeling – gebruikte goederen';

/** A line with the amounts that the service would store. */
function counted(values: { quantity: string; price: string; discount?: string; vat_code?: number }) {
  const { quantity, price, discount = null, vat_code = HIGH } = values;
  const input = { quantity, price, discount_percentage: discount, vat_code };
  return line({ ...input, ...lineTotals(input, percentageOn(vat_code, '2026-05-01')) });
}

const hundred = (vat_code: number) => counted({ quantity: '1', price: '100', vat_code });

const sum = (amounts: readonly string[]) => Decimal.sum(0, ...amounts).toFixed(2);
const whole = (most: number) => fc.integer({ min: -most, max: most });
const places = (count: number) => (value: number) => new Decimal(value).div(10 ** count).toFixed(count);
const ANY_LINES = fc.array(
  fc.record({
    quantity: whole(1_000_000).map(places(4)),
    price: whole(1_000_000).map(places(4)),
    discount: fc.integer({ min: 0, max: 1_000_000 }).map(places(4)),
    vat_code: fc.constantFrom(HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE),
  }),
  { minLength: 1, maxLength: 6 },
);

/** How far the amount of each line is from quantity, price and discount. */
const differences = (
  { quantity, price, amount }: Record<'quantity' | 'price' | 'amount', readonly string[]>,
  discounts: readonly (string | number)[],
): number[] =>
  discounts.map((discount, index) =>
    new Decimal(quantity[index] ?? 0)
      .times(price[index] ?? 0)
      .times(new Decimal(100).minus(discount))
      .div(100)
      .minus(amount[index] ?? 0)
      .abs()
      .toNumber(),
  );

describe('the amounts of an e-invoice', () => {
  it('have a VAT group for each category and rate', () => {
    const groups = readUbl(xmlOf({ lines: [HIGH, LOW, ZERO, REVERSE_CHARGE, HIGH].map(hundred) }), GROUPS);

    expect(groups).to.deep.equal({
      category: ['S', 'S', 'Z', 'AE'],
      percent: ['21', '9', '0', '0'],
      taxable: ['200.00', '100.00', '100.00', '100.00'],
      tax: ['42.00', '9.00', '0.00', '0.00'],
      reason: ['btw verlegd'],
    });
  });

  it('share one group where there is no VAT for different reasons, and each line has its own reason', () => {
    const notes = '//cac:InvoiceLine/cbc:Note';
    const one = readUbl(xmlOf({ lines: [hundred(MARGIN)] }), { ...GROUPS, notes });
    const mixed = readUbl(xmlOf({ lines: [OUTSIDE, MARGIN, EXEMPT].map(hundred) }), { ...GROUPS, notes });

    expect(one).to.deep.include({ category: ['E'], reason: [SCHEME], notes: [] });
    expect(mixed).to.deep.include({ category: ['E'], taxable: ['300.00'], tax: ['0.00'] });
    expect(mixed.reason).to.deep.equal([`Vrijgesteld van btw; ${SCHEME}; Buiten de btw`]);
    expect(mixed.notes).to.deep.equal(['Buiten de btw', SCHEME, 'Vrijgesteld van btw']);
  });

  it('have a positive price and the sign in the quantity', () => {
    const negative = [
      counted({ quantity: '1', price: '-750.5', vat_code: OUTSIDE }),
      counted({ quantity: '-2', price: '10.1234' }),
      counted({ quantity: '-2', price: '-10' }),
    ];
    const [invoice, credit] = [WORKSHOP, INTERNAL_REVERSAL].map((order_type) =>
      readUbl(xmlOf({ lines: negative, order: { order_type } }), LINES),
    );

    expect(invoice?.price).to.deep.equal(['750.5', '10.1234', '10']);
    expect(invoice?.quantity).to.deep.equal(['-1', '-2', '2']);
    expect(invoice?.amount).to.deep.equal(['-750.50', '-20.25', '20.00']);
    expect(credit?.price).to.deep.equal(invoice?.price);
    expect(credit?.quantity).to.deep.equal(['1', '2', '-2']);
    expect(credit?.amount).to.deep.equal(['750.50', '20.25', '-20.00']);
  });

  it('have a discount as an amount of the line', () => {
    const lines = [
      counted({ quantity: '3', price: '33.3333', discount: '12.5' }),
      counted({ quantity: '-1', price: '100', discount: '100' }),
      counted({ quantity: '1', price: '5', discount: '0' }),
    ];
    const read = readUbl(xmlOf({ lines }), {
      ...LINES,
      percentage: '//cbc:MultiplierFactorNumeric',
      base: '//cac:AllowanceCharge/cbc:BaseAmount',
    });

    expect(read).to.deep.include({ percentage: ['12.5', '100'], base: ['100.00', '-100.00'] });
    expect(read).to.deep.include({ amount: ['87.50', '0.00', '5.00'], allowance: ['12.50', '-100.00'] });
  });

  it('have the price of the whole quantity where the net is another than the price makes', () => {
    // Five credits of one piece at 1.005 took 1.01 each of 10.05, so 5.00 are left for five pieces.
    const rest = { ...counted({ quantity: '-5', price: '1.005' }), line_net: '-5.00' };
    const told = { ...counted({ quantity: '10', price: '3.70', discount: '10' }), line_net: '33.33' };
    const read = readUbl(xmlOf({ lines: [rest, told] }), { ...LINES, base: '//cbc:BaseQuantity' });

    expect(read).to.deep.include({ quantity: ['-5', '10'], base: ['5', '10'], allowance: [] });
    expect(read).to.deep.include({ price: ['5', '33.33'], amount: ['-5.00', '33.33'] });
  });

  it('leave lines of text out, but for an invoice that has no others', () => {
    const text = line({ line_kind: TEXT, description: 'Alleen tekst', quantity: '0', line_net: '0.00' });
    const both = readUbl(xmlOf({ lines: [text, hundred(LOW)] }), { ...LINES, ...GROUPS });
    const alone = readUbl(xmlOf({ lines: [text] }), { ...LINES, ...GROUPS, note: '/*/cbc:Note' });

    expect(both).to.deep.include({ amount: ['100.00'], percent: ['9'] });
    expect(alone).to.deep.include({ name: ['Alleen tekst'], amount: ['0.00'], percent: ['21'], note: [] });
  });

  it('equal those of the PDF', async () => {
    const lines = [HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, OUTSIDE].map((vat_code) =>
      counted({ quantity: '1.2345', price: '33.3333', discount: '1.5', vat_code }),
    );
    const { text } = await readPdf(await renderDocument(eSample({ lines })), 'e-invoice');
    const { vat, gross, net } = readUbl(xmlOf({ lines }), TOTALS);

    const dutch = (amount: string[]) => `€ ${amount.join().replace('.', ',')}`;
    expect(text).to.include(`Totaal exclusief btw ${dutch(net)}`);
    expect(text).to.include(`Btw ${dutch(vat)}`);
    expect(text).to.include(`Totaal inclusief btw ${dutch(gross)}`);
  });

  it('add up to the cent, whatever the lines', () => {
    const orderType = fc.constantFrom(WORKSHOP, INTERNAL_REVERSAL);

    fc.assert(
      fc.property(ANY_LINES, orderType, (drafts, order_type) => {
        const made = drafts.map(counted);
        const read = readUbl(xmlOf({ lines: made, order: { order_type } }), {
          ...TOTALS,
          ...GROUPS,
          ...LINES,
        });

        const totals = totalsOf(sample({ lines: made }));
        const sign = order_type === INTERNAL_REVERSAL ? -1 : 1;
        const turned = (amount: string) => new Decimal(amount).times(sign).plus(0).toFixed(2);
        expect(read.gross).to.deep.equal([turned(totals.gross)]);
        expect(read.payable).to.deep.equal(read.gross);
        expect(read.vat).to.deep.equal([turned(totals.vat)]);
        expect([sum(read.tax), sum(read.taxable)]).to.deep.equal([sum(read.vat), sum(read.net)]);
        expect([sum(read.amount), sum(read.lines)]).to.deep.equal([sum(read.net), sum(read.net)]);
        expect(read.price.filter((price) => price.startsWith('-'))).to.deep.equal([]);
        const discounts = made.map(({ discount_percentage }) => discount_percentage ?? 0);
        for (const difference of differences(read, discounts)) expect(difference).to.be.at.most(0.005);
      }),
      { numRuns: 100 },
    );
  });
});
