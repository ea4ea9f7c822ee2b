// The lines of an e-invoice. UBL has no negative price: a negative line has a negative quantity and a positive price.

import { LISTS, type ListValue, rowOf } from '../../../core/trade/lists.ts';
import { cents, euros, lineTotals } from '../../../core/trade/totals.ts';
import type { Line } from '../pdf/data.ts';
import { number } from '../pdf/format.ts';
import { hasAmount, percentageOf } from '../pdf/line.ts';
import type { Language, Words } from '../pdf/words/words.ts';
import { decimal, isNegative, money, type Sign, turned } from './amount.ts';
import { clean, joined } from './text.ts';
import { lineCategory, reasonOf, type VatGroup } from './vat.ts';

const { PIECE, HOUR, LITRE, SET, METRE, KILOGRAM } = LISTS.unittypes;

/** Codes of UN/ECE Recommendation 20. */
const UNITS: Readonly<Record<ListValue<'unittypes'>, string>> = {
  [PIECE]: 'C62',
  [HOUR]: 'HUR',
  [LITRE]: 'LTR',
  [SET]: 'SET',
  [METRE]: 'MTR',
  [KILOGRAM]: 'KGM',
};

/** The lines that count. Lines that are only text are notes, unless there are no others: UBL wants a line. */
export function splitLines(lines: readonly Line[]): { counted: readonly Line[]; texts: readonly Line[] } {
  const counted = lines.filter(hasAmount);
  if (counted.length === 0) return { counted: lines, texts: [] };
  return { counted, texts: lines.filter((line) => !hasAmount(line)) };
}

interface LineContext {
  readonly sign: Sign;
  readonly groups: readonly VatGroup[];
  readonly words: Words;
  readonly language: Language;
  /** Prices include VAT. */
  readonly isVatIncluded: boolean;
  /** The name of the element of the quantity. */
  readonly quantityName: string;
}

/** `index` counts from 0. */
export function lineElement(line: Line, index: number, context: LineContext) {
  const { sign, groups, words, language, quantityName } = context;
  const { vehicle } = line;
  const isAsWhole = context.isVatIncluded || hasOtherNet(line);
  const { price, base, quantity } = isAsWhole ? priceOfAll(line) : priceOfPiece(line);
  const article = clean(line.article_number);
  return {
    'cbc:ID': String(index + 1),
    'cbc:Note': joined([
      sharesGroup(line, groups) ? reasonOf(line.vat_code, language) : undefined,
      isAsWhole ? discountNote(line, context) : undefined,
    ]),
    [quantityName]: {
      '@unitCode': rowOf('unittypes', UNITS, line.unit_type ?? PIECE),
      '#': decimal(quantity, sign),
    },
    'cbc:LineExtensionAmount': money(turned(line.line_net, sign)),
    'cac:AllowanceCharge': isAsWhole ? undefined : discount(line, sign, words),
    'cac:Item': {
      'cbc:Description':
        vehicle && joined([`${vehicle.make} ${vehicle.model}`, vehicle.license_plate, vehicle.vin], ' · '),
      'cbc:Name': clean(line.description) ?? article ?? '-',
      'cac:SellersItemIdentification': article && { 'cbc:ID': article },
      'cac:ClassifiedTaxCategory': lineCategory(line),
    },
    'cac:Price': { 'cbc:PriceAmount': money(decimal(price)), 'cbc:BaseQuantity': base },
  };
}

interface Priced {
  /** Never below 0. */
  readonly price: string;
  /** The number of pieces that the price is for, if not one. */
  readonly base?: string;
  /** Has the sign of the line. */
  readonly quantity: string;
}

function priceOfPiece({ price, quantity }: Line): Priced {
  const sign: Sign = isNegative(price) ? -1 : 1;
  return { price: decimal(price, sign), quantity: decimal(quantity, sign) };
}

/**
 * Whether the net is not the quantity times the price: of a credit line that takes what earlier ones left, and of an
 * old line that was told otherwise. The rules of Peppol compare both.
 */
const hasOtherNet = (line: Line): boolean =>
  cents(lineTotals(line, percentageOf(line)).line_net) !== cents(line.line_net);

/**
 * The net of all pieces, as the price of the whole quantity: a price with VAT has no exact net for one piece, and the
 * price of a piece does not make another net.
 */
function priceOfAll({ line_net, quantity }: Line): Priced {
  const all = decimal(quantity, isNegative(quantity) ? -1 : 1);
  const sign: Sign = isNegative(line_net) ? -1 : 1;
  const price = decimal(line_net, sign);
  // An old line may have an amount without a quantity.
  if (Number(all) === 0) return { price, quantity: decimal(Number(price) === 0 ? '0' : '1', sign) };
  return { price, base: all, quantity: decimal(all, sign) };
}

/** The discount is within the net of all pieces. */
const discountNote = ({ discount_percentage }: Line, { words, language }: LineContext): string | undefined =>
  Number(discount_percentage ?? 0) === 0
    ? undefined
    : `${words.discount} ${number(discount_percentage ?? '0', language)} %`;

/** Whether other lines without VAT have another reason: then the group alone does not tell the line's. */
const sharesGroup = ({ vat_code }: Line, groups: readonly VatGroup[]): boolean =>
  groups.some(({ codes }) => codes.includes(vat_code) && codes.length > 1);

/** The discount of the line as an amount. Undefined without one. */
function discount(line: Line, sign: Sign, words: Words) {
  const percentage = line.discount_percentage ?? '0';
  if (Number(percentage) === 0) return undefined;
  const full = lineTotals({ ...line, discount_percentage: null }, percentageOf(line)).line_net;
  return {
    'cbc:ChargeIndicator': 'false',
    'cbc:AllowanceChargeReason': words.discount,
    'cbc:MultiplierFactorNumeric': decimal(percentage),
    'cbc:Amount': money(turned(euros(cents(full) - cents(line.line_net)), sign)),
    'cbc:BaseAmount': money(turned(full, sign)),
  };
}
