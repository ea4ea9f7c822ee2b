// VAT as EN 16931 knows it: a category for each VAT code, and one group for each category and percentage.

import { LISTS } from '../../trade/lists.ts';
import { cents, euros, type OrderVat, orderTotals } from '../../trade/totals.ts';
import type { Line } from '../pdf/data.ts';
import { percentageOf } from '../pdf/line.ts';
import type { Words } from '../pdf/words.ts';
import { EXPORT_SUPPLY, INTRA_COMMUNITY_SUPPLY, MARGIN_SCHEME } from '../pdf/words-nl.ts';
import { decimal, money, type Sign, turned } from './amount.ts';
import type { Format } from './format.ts';

const { HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;

/**
 * S: standard, Z: zero rate, AE: reverse charge, E: exempt, K: to another EU country, G: export. O (outside) can't
 * stand beside others, so OUTSIDE is E.
 */
const CATEGORIES: Readonly<Record<number, string>> = {
  [HIGH]: 'S',
  [LOW]: 'S',
  [ZERO]: 'Z',
  [REVERSE_CHARGE]: 'AE',
  [EXEMPT]: 'E',
  [MARGIN]: 'E',
  [OUTSIDE]: 'E',
  [INTRA_COMMUNITY]: 'K',
  [EXPORT]: 'G',
};

/** Codes of the list VATEX for reasons. The Dutch rules warn at them. */
const REASON_CODES: Readonly<Record<number, string>> = {
  [REVERSE_CHARGE]: 'VATEX-EU-AE',
  [MARGIN]: 'VATEX-EU-F',
  [INTRA_COMMUNITY]: 'VATEX-EU-IC',
  [EXPORT]: 'VATEX-EU-G',
};

/** Why there is no VAT. The law words two of them, in Dutch only. Undefined for the codes that need no reason. */
export const reasonOf = (code: number, words: Words): string | undefined =>
  ({
    [REVERSE_CHARGE]: 'btw verlegd',
    [MARGIN]: MARGIN_SCHEME,
    [INTRA_COMMUNITY]: INTRA_COMMUNITY_SUPPLY,
    [EXPORT]: EXPORT_SUPPLY,
    [EXEMPT]: words.exempt,
    [OUTSIDE]: words.vatOfSummary[OUTSIDE],
  })[code];

export interface VatGroup {
  readonly category: string;
  readonly percent: string;
  readonly net: string;
  readonly vat: string;
  readonly codes: readonly number[];
}

interface VatTotals {
  readonly net: string;
  readonly vat: string;
  readonly gross: string;
  readonly groups: readonly VatGroup[];
}

/** The totals of the order, by groups of VAT. */
export function vatTotals(lines: readonly Line[], order: OrderVat): VatTotals {
  const { rates, total_net, total_vat, total_gross } = orderTotals(
    lines.map((line) => ({ vat_code: line.vat_code, net: line.line_net, percentage: percentageOf(line) })),
    order,
  );
  const groups = new Map<string, VatGroup>();
  for (const { vat_code, percentage, net, vat } of rates) {
    const { category, percent } = taxOf(vat_code, percentage);
    const key = `${category} ${percent}`;
    const before = groups.get(key) ?? { net: '0.00', vat: '0.00', codes: [] };
    groups.set(key, {
      category,
      percent,
      net: euros(cents(before.net) + cents(net)),
      vat: euros(cents(before.vat) + cents(vat)),
      codes: [...before.codes, vat_code],
    });
  }
  return { net: total_net, vat: total_vat, gross: total_gross, groups: [...groups.values()] };
}

const taxOf = (code: number, percentage: string) => ({
  category: CATEGORIES[code] ?? 'E',
  percent: decimal(percentage),
});

/** The category of a line. */
export const lineCategory = (line: Line) => {
  const { category, percent } = taxOf(line.vat_code, percentageOf(line));
  return { 'cbc:ID': category, 'cbc:Percent': percent, 'cac:TaxScheme': VAT };
};

export const taxTotal = ({ vat, groups }: VatTotals, sign: Sign, words: Words, format: Format) => ({
  'cbc:TaxAmount': money(turned(vat, sign)),
  'cac:TaxSubtotal': groups.map(({ category, percent, codes, ...group }) => ({
    'cbc:TaxableAmount': money(turned(group.net, sign)),
    'cbc:TaxAmount': money(turned(group.vat, sign)),
    'cac:TaxCategory': {
      'cbc:ID': category,
      'cbc:Percent': percent,
      'cbc:TaxExemptionReasonCode': format === 'peppol' ? reasonCodeOf(codes) : undefined,
      'cbc:TaxExemptionReason': codes.flatMap((code) => reasonOf(code, words) ?? []).join('; ') || undefined,
      'cac:TaxScheme': VAT,
    },
  })),
});

/** The code of a group whose lines all have the same reason. */
const reasonCodeOf = ([code = 0, ...others]: readonly number[]): string | undefined =>
  others.length === 0 ? REASON_CODES[code] : undefined;

export const VAT = { 'cbc:ID': 'VAT' };
