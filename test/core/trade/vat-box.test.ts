// The boxes of the VAT return, as the form explains them.
import { expect } from 'chai';
import { LISTS } from '../../../src/core/trade/lists.ts';
import {
  BOXES_BY_HAND,
  chargedVat,
  type Region,
  regionOf,
  spreadVat,
  treatmentOf,
} from '../../../src/core/trade/vat-box.ts';

const { ARTICLE, TRADE_IN, DEPOSIT } = LISTS.linekinds;
const { HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;

describe('the box of a line', () => {
  const treated = (
    vat_code: number,
    changes: { isPurchase?: boolean; line_kind?: number; region?: Region } = {},
  ) => {
    const { region = 'home', ...line } = changes;
    return treatmentOf({ vat_code, line_kind: ARTICLE, isPurchase: false, ...line }, region);
  };
  const box = (...given: Parameters<typeof treated>) => treated(...given).box;

  it('is none of those that are filled in by hand, which have no code', () => {
    expect(BOXES_BY_HAND).to.deep.equal(['1c', '1d', '3c']);
  });

  it('of a sale follows the VAT code', () => {
    expect([HIGH, LOW, ZERO, EXPORT, INTRA_COMMUNITY].map((code) => box(code))).to.deep.equal([
      '1a',
      '1b',
      '1e',
      '3a',
      '3b',
    ]);
    expect([EXEMPT, OUTSIDE, MARGIN].map((code) => box(code))).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('follows the country of the buyer where VAT is reversed', () => {
    const regions = ['home', 'eu', 'elsewhere'] as const;

    expect(regions.map((region) => box(REVERSE_CHARGE, { region }))).to.deep.equal(['1e', '3b', undefined]);
    expect(regions.map((region) => box(REVERSE_CHARGE, { region, isPurchase: true }))).to.deep.equal([
      '2a',
      '4b',
      '4a',
    ]);
  });

  it('of a purchase is 5b for its VAT, and the VAT that the garage owes itself is deducted too', () => {
    const bought = treated(HIGH, { isPurchase: true });
    const charged = treated(REVERSE_CHARGE, { isPurchase: true });

    expect(bought).to.deep.include({ side: 'purchase', box: undefined, isDeducted: true, isCharged: false });
    expect(charged).to.deep.include({ side: 'purchase', isDeducted: true, isCharged: true });
    expect(chargedVat(10_005n, '2026-05-01')).to.equal(2101n);
  });

  it('of a trade-in is that of a purchase', () => {
    expect(treated(HIGH, { line_kind: TRADE_IN })).to.deep.include({
      side: 'purchase',
      sign: -1n,
      box: undefined,
      isDeducted: true,
    });
    expect(treated(MARGIN, { line_kind: TRADE_IN })).to.deep.include({ side: 'purchase', isMargin: false });
  });

  it('has VAT of its margin where it is sold, and is no deposit', () => {
    const sold = [ARTICLE, DEPOSIT, TRADE_IN].map((line_kind) => treated(MARGIN, { line_kind }).isMargin);

    expect(sold).to.deep.equal([true, false, false]);
    expect(treated(MARGIN, { isPurchase: true }).isMargin).to.equal(false);
  });

  it('is judged by both countries', () => {
    const [nl, de, ch] = [
      { id: 1, is_eu: 1 },
      { id: 2, is_eu: 1 },
      { id: 3, is_eu: 0 },
    ];

    expect([nl, de, ch].map((other) => regionOf(nl, other))).to.deep.equal(['home', 'eu', 'elsewhere']);
  });
});

describe('the VAT of lines', () => {
  it('adds up to that of the invoice, by the last line that is no trade-in', () => {
    const lines = [
      { line_kind: ARTICLE, vat: 1n },
      { line_kind: ARTICLE, vat: 1n },
      { line_kind: TRADE_IN, vat: -5n },
    ];

    expect(spreadVat(lines, -2n)).to.deep.equal([1n, 2n, -5n]);
    expect(spreadVat(lines.slice(2), -4n)).to.deep.equal([-4n]);
  });
});
