// VAT as EN 16931 knows it: a category for each VAT code, and one group for each category and percentage.

import type { Language } from '../../../core/trade/language.ts';
import { cents, euros, type OrderVat, orderTotals } from '../../../core/trade/totals.ts';
import { vatRow } from '../../../core/trade/vat-code.ts';
import type { Line } from '../pdf/data.ts';
import { percentageOf } from '../pdf/line.ts';
import { decimal, money, type Sign, turned } from './amount.ts';
import type { Format } from './format.ts';

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
  category: vatRow(code).eInvoice.category,
  percent: decimal(percentage),
});

/** Why there is no VAT. Undefined for the codes that need no reason. */
export const reasonOf = (code: number, language: Language): string | undefined =>
  vatRow(code).eInvoice.reason?.[language];

/** The category of a line. */
export const lineCategory = (line: Line) => {
  const { category, percent } = taxOf(line.vat_code, percentageOf(line));
  return { 'cbc:ID': category, 'cbc:Percent': percent, 'cac:TaxScheme': VAT };
};

export const taxTotal = ({ vat, groups }: VatTotals, sign: Sign, language: Language, format: Format) => ({
  'cbc:TaxAmount': money(turned(vat, sign)),
  'cac:TaxSubtotal': groups.map(({ category, percent, codes, ...group }) => ({
    'cbc:TaxableAmount': money(turned(group.net, sign)),
    'cbc:TaxAmount': money(turned(group.vat, sign)),
    'cac:TaxCategory': {
      'cbc:ID': category,
      'cbc:Percent': percent,
      'cbc:TaxExemptionReasonCode': format === 'peppol' ? reasonCodeOf(codes) : undefined,
      'cbc:TaxExemptionReason':
        codes.flatMap((code) => reasonOf(code, language) ?? []).join('; ') || undefined,
      'cac:TaxScheme': VAT,
    },
  })),
});

/** The code of a group whose lines all have the same reason. */
const reasonCodeOf = ([code, ...others]: readonly number[]): string | undefined =>
  code === undefined || others.length > 0 ? undefined : (vatRow(code).eInvoice.reasonCode ?? undefined);

export const VAT = { 'cbc:ID': 'VAT' };
