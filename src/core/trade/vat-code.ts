// All about a VAT code, one row each: rates, boxes of the VAT return, e-invoice, words, account, and what the payer
// needs. Without a complete row, a new code of LISTS.vatcodes does not compile.

import type { Language } from './language.ts';
import { LISTS, type ListValue, rowOf } from './lists.ts';
import type { Box, Region } from './vat-box.ts';
import { HIGH_RATES, LOW_RATES, type Rates, rateOn } from './vat-rate.ts';

export type VatCode = ListValue<'vatcodes'>;

/** The VAT on invoices is high or low. Each order has the sums of both. */
type Level = 'high' | 'low';
export type NetColumn = `net_${Level}`;
export type VatColumn = `vat_${Level}`;

type BoxByRegion = Readonly<Record<Region, Box | null>>;

/** Who owes the VAT, and the box of the VAT return. Null: no box. */
type Owed =
  /** The VAT stands on the invoice. A purchase is in 5b only. */
  | {
      readonly by: 'seller';
      readonly rates: Rates;
      readonly level: Level;
      readonly sale: Box;
    }
  /** The box depends on the region of the other party. The garage owes the VAT of its purchases, at the high rate. */
  | { readonly by: 'buyer'; readonly sale: BoxByRegion; readonly purchase: BoxByRegion }
  /** No VAT. A purchase is in no box. */
  | { readonly by: 'nobody'; readonly sale: Box | null }
  /** The seller owes the VAT of the margin, at the high rate. Only the books show this VAT. */
  | { readonly by: 'margin' };

type Text = Readonly<Record<Language, string>>;

/** The sentence that the law requires on an invoice. */
interface Note extends Readonly<Record<Language, (vatNumber: string | null) => string>> {
  /** The order of the notes on one invoice. */
  readonly rank: number;
}

interface VatRow {
  readonly owed: Owed;
  /** Whether a car of the margin scheme leaves the scheme when it is sold under this code. */
  readonly leavesMargin: boolean;
  /** The account of the VAT of sales. The Auditfile names one for each code, with or without VAT. */
  readonly account: 'vat_high_account' | 'vat_low_account' | 'margin_vat_account';
  readonly eInvoice: {
    /**
     * S: standard, Z: zero rate, AE: reverse charge, E: exempt, K: to another EU country, G: export. O (outside) can't
     * stand beside others, so OUTSIDE is E.
     */
    readonly category: 'S' | 'Z' | 'AE' | 'E' | 'K' | 'G';
    /** Why there is no VAT. Null: the category needs no reason. */
    readonly reason: Text | null;
    /** The code of the reason in the list VATEX. The Dutch rules warn at them. */
    readonly reasonCode: string | null;
  };
  /** How documents name the code: on a line, and in the sums. Null: by its percentage, also if it is 0. */
  readonly words: { readonly line: Text; readonly summary: Text } | null;
  readonly note: Note | null;
  /** What the payer of a sale needs. */
  readonly requires: {
    readonly vatNumber: 'none' | 'any' | 'of another EU country';
    readonly country: 'any' | 'outside the EU';
  };
}

const { HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;

/** The wording that the law requires on an invoice of goods under the margin scheme. */
const MARGIN_SCHEME = 'Bijzondere regeling – gebruikte goederen';
/** The wording for supplies to other countries. */
const INTRA_COMMUNITY_SUPPLY = 'Intracommunautaire levering';
const EXPORT_SUPPLY = 'Uitvoer, 0 % btw';
const WITHOUT_VAT: Text = { nl: 'Vrijgesteld van btw', en: 'Exempt from VAT' };
const OUTSIDE_VAT: Text = { nl: 'Buiten de btw', en: 'Outside VAT' };

/** The law words some texts, in Dutch only. */
const inDutch = (text: string): Text => ({ nl: text, en: text });

const NO_REASON = { reason: null, reasonCode: null };
const NOTHING = { vatNumber: 'none', country: 'any' } as const;

const ROWS: Readonly<Record<VatCode, VatRow>> = {
  [HIGH]: {
    owed: { by: 'seller', rates: HIGH_RATES, level: 'high', sale: '1a' },
    leavesMargin: true,
    account: 'vat_high_account',
    eInvoice: { category: 'S', ...NO_REASON },
    words: null,
    note: null,
    requires: NOTHING,
  },
  [LOW]: {
    owed: { by: 'seller', rates: LOW_RATES, level: 'low', sale: '1b' },
    leavesMargin: true,
    account: 'vat_low_account',
    eInvoice: { category: 'S', ...NO_REASON },
    words: null,
    note: null,
    requires: NOTHING,
  },
  [ZERO]: {
    owed: { by: 'nobody', sale: '1e' },
    leavesMargin: true,
    account: 'vat_high_account',
    eInvoice: { category: 'Z', ...NO_REASON },
    words: null,
    note: null,
    requires: NOTHING,
  },
  [EXEMPT]: {
    owed: { by: 'nobody', sale: null },
    leavesMargin: false,
    account: 'vat_high_account',
    eInvoice: {
      category: 'E',
      reason: WITHOUT_VAT,
      reasonCode: null,
    },
    words: { line: { nl: 'vrij', en: 'exempt' }, summary: { nl: 'Vrijgesteld', en: 'Exempt' } },
    note: { rank: 5, nl: () => WITHOUT_VAT.nl, en: () => WITHOUT_VAT.en },
    requires: NOTHING,
  },
  [REVERSE_CHARGE]: {
    owed: {
      by: 'buyer',
      // A service to a business outside the EU is taxed there, and stands in no box.
      sale: { home: '1e', eu: '3b', elsewhere: null },
      purchase: { home: '2a', eu: '4b', elsewhere: '4a' },
    },
    leavesMargin: true,
    account: 'vat_high_account',
    eInvoice: { category: 'AE', reason: inDutch('btw verlegd'), reasonCode: 'VATEX-EU-AE' },
    words: {
      line: { nl: 'verlegd', en: 'reverse' },
      summary: { nl: 'Btw verlegd', en: 'Reverse charge' },
    },
    note: {
      rank: 2,
      // The law's words are `btw verlegd`, and programs look for them as they are.
      nl: (number) =>
        number === null ? 'Hierop is de btw verlegd' : `Hierop is de btw verlegd naar btw-nummer ${number}`,
      en: (number) =>
        number === null
          ? 'VAT reverse charge (btw verlegd)'
          : `VAT reverse charge (btw verlegd) to VAT number ${number}`,
    },
    requires: { vatNumber: 'any', country: 'any' },
  },
  [MARGIN]: {
    owed: { by: 'margin' },
    leavesMargin: false,
    account: 'margin_vat_account',
    eInvoice: { category: 'E', reason: inDutch(MARGIN_SCHEME), reasonCode: 'VATEX-EU-F' },
    words: {
      line: { nl: 'marge', en: 'margin' },
      summary: { nl: 'Margegoederen', en: 'Margin scheme goods' },
    },
    note: {
      rank: 1,
      nl: () => MARGIN_SCHEME,
      en: () => `Margin scheme – second-hand goods (${MARGIN_SCHEME})`,
    },
    requires: NOTHING,
  },
  [OUTSIDE]: {
    owed: { by: 'nobody', sale: null },
    leavesMargin: false,
    account: 'vat_high_account',
    eInvoice: { category: 'E', reason: OUTSIDE_VAT, reasonCode: null },
    words: { line: { nl: 'geen', en: 'none' }, summary: OUTSIDE_VAT },
    note: { rank: 6, nl: () => 'Buiten de heffing van btw', en: () => 'Outside the scope of VAT' },
    requires: NOTHING,
  },
  [INTRA_COMMUNITY]: {
    owed: {
      by: 'buyer',
      sale: { home: '3b', eu: '3b', elsewhere: '3b' },
      purchase: { home: '4b', eu: '4b', elsewhere: '4b' },
    },
    leavesMargin: true,
    account: 'vat_high_account',
    eInvoice: { category: 'K', reason: inDutch(INTRA_COMMUNITY_SUPPLY), reasonCode: 'VATEX-EU-IC' },
    words: {
      line: { nl: 'ICL', en: 'intra-EU' },
      summary: { nl: INTRA_COMMUNITY_SUPPLY, en: 'Intra-Community supply' },
    },
    note: {
      rank: 3,
      nl: (number) =>
        number === null ? INTRA_COMMUNITY_SUPPLY : `${INTRA_COMMUNITY_SUPPLY} aan btw-nummer ${number}`,
      en: (number) =>
        number === null
          ? `Intra-Community supply (${INTRA_COMMUNITY_SUPPLY})`
          : `Intra-Community supply (${INTRA_COMMUNITY_SUPPLY}) to VAT number ${number}`,
    },
    requires: { vatNumber: 'of another EU country', country: 'any' },
  },
  [EXPORT]: {
    owed: { by: 'nobody', sale: '3a' },
    leavesMargin: true,
    account: 'vat_high_account',
    eInvoice: { category: 'G', reason: inDutch(EXPORT_SUPPLY), reasonCode: 'VATEX-EU-G' },
    words: {
      line: { nl: 'uitvoer', en: 'export' },
      summary: { nl: EXPORT_SUPPLY, en: 'Export, 0% VAT' },
    },
    note: { rank: 4, nl: () => EXPORT_SUPPLY, en: () => `Export, 0% VAT (${EXPORT_SUPPLY})` },
    requires: { vatNumber: 'none', country: 'outside the EU' },
  },
};

export const VAT_CODES: readonly VatCode[] = Object.values(LISTS.vatcodes);

export const vatRow = (code: number): VatRow => rowOf('vatcodes', ROWS, code);

/** The codes whose rows have something in common. */
const codesWith = (has: (row: VatRow) => boolean): readonly VatCode[] =>
  VAT_CODES.filter((code) => has(ROWS[code]));

/** The VAT percentage on a day, `YYYY-MM-DD`. */
export function percentageOn(code: number, day: string): string {
  const { owed } = vatRow(code);
  if (owed.by !== 'seller') return '0';
  return rateOn(owed.rates, day);
}

/** The rate of margins, and of VAT that the garage owes itself. */
export const highOn = (day: string): string => percentageOn(HIGH, day);

/** The percentage that a line has, or else that of a day. */
export const percentageOf = (
  { vat_code, vat_percentage }: { readonly vat_code: number; readonly vat_percentage: string | null },
  day: string,
): string => vat_percentage ?? percentageOn(vat_code, day);

export interface SummedCode {
  readonly code: VatCode;
  /** The columns of the order that have the sums. */
  readonly net: NetColumn;
  readonly vat: VatColumn;
  readonly account: VatRow['account'];
}

/** The codes that put VAT on an invoice. */
export const SUMMED: readonly SummedCode[] = VAT_CODES.flatMap((code) => {
  const { owed, account } = ROWS[code];
  if (owed.by !== 'seller') return [];
  return [{ code, net: `net_${owed.level}`, vat: `vat_${owed.level}`, account } as const];
});

/** The column of the order with the VAT of this code. Undefined: the code puts no VAT on an invoice. */
export const vatColumn = (code: number): VatColumn | undefined =>
  SUMMED.find((summed) => summed.code === code)?.vat;

/** The numbers of SUMMED. */
export const BEARING: readonly number[] = SUMMED.map(({ code }) => code);
/** The codes by which the buyer owes the VAT. */
export const OWED_BY_BUYER: readonly number[] = codesWith(({ owed }) => owed.by === 'buyer');
/** The codes under which a sold car leaves the margin scheme. */
export const LEAVING_MARGIN: readonly number[] = codesWith(({ leavesMargin }) => leavesMargin);
/** The codes in a box of the VAT return without VAT. The box does not depend on the region of the other party. */
export const BOXED_WITHOUT_VAT: readonly number[] = codesWith(
  ({ owed }) => owed.by === 'nobody' && owed.sale !== null,
);
/** The codes that a buyer has with a VAT number only. */
export const NEED_VAT_NUMBER: readonly number[] = codesWith(({ requires }) => requires.vatNumber !== 'none');
