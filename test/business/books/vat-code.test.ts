// Each VAT code in all that a garage makes of it: PDF, e-invoice, VAT return and journal. The table below says by hand
// what the law asks, so a new code of LISTS.vatcodes does not compile without its expectations.
import { LISTS, nameOf } from '../../../src/core/trade/lists.ts';
import { VAT_CODES, type VatCode } from '../../../src/core/trade/vat-code.ts';
import { countries, invoiceOn, setGarage } from '../../support/books/books.ts';
import { journalOf, toCents } from '../../support/books/journal.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { exported } from '../../support/client/export.ts';
import { eInvoices } from '../../support/files/e-invoice.ts';
import { readPdf } from '../../support/files/pdf.ts';
import { GROUPS, pdfOf, readUbl } from '../../support/files/ubl.ts';

const { HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;
const { PERSON, COMPANY } = LISTS.contactkinds;
const REASON_CODE = '//cbc:TaxExemptionReasonCode';
const VAT_ACCOUNTS = ['1510', '1520', '1530', '1540'];
const FIRM = { contact_kind: COMPANY, company_name: 'Firma' };

type Amounts = Readonly<Record<string, readonly [base: number, vat: number]>>;

/** What a sale and a purchase of € 100 make. */
interface Expected {
  readonly buyer: 'dutch' | 'german' | 'swiss';
  /** Texts of the PDF: on the line, in the sums, and the note. */
  readonly printed: readonly string[];
  readonly category: string;
  readonly percent: string;
  readonly reason: readonly string[];
  readonly reasonCode: readonly string[];
  /** Boxes of the VAT return, without 5a. */
  readonly sale: Amounts;
  readonly purchase: Amounts;
  /** VAT accounts in the journal: debit less credit, in cents. */
  readonly sold: Readonly<Record<string, number>>;
  readonly bought: Readonly<Record<string, number>>;
}

const OWED = { '1510': -2100, '1540': 2100 };
const SCHEME = 'Bijzondere regeling – gebruikte goederen';

const EXPECTED: Readonly<Record<VatCode, Expected>> = {
  [HIGH]: {
    ...{ buyer: 'dutch', printed: ['21%'], category: 'S', percent: '21', reason: [], reasonCode: [] },
    ...{ sale: { '1a': [100, 21] }, purchase: { '5b': [100, 21] } },
    ...{ sold: { '1510': -2100 }, bought: { '1540': 2100 } },
  },
  [LOW]: {
    ...{ buyer: 'dutch', printed: ['9%'], category: 'S', percent: '9', reason: [], reasonCode: [] },
    ...{ sale: { '1b': [100, 9] }, purchase: { '5b': [100, 9] } },
    ...{ sold: { '1520': -900 }, bought: { '1540': 900 } },
  },
  [ZERO]: {
    ...{ buyer: 'dutch', printed: ['0%'], category: 'Z', percent: '0', reason: [], reasonCode: [] },
    ...{ sale: { '1e': [100, 0] }, purchase: {}, sold: {}, bought: {} },
  },
  [EXEMPT]: {
    ...{ buyer: 'dutch', printed: ['vrij', 'Vrijgesteld', 'Vrijgesteld van btw'] },
    ...{ category: 'E', percent: '0', reason: ['Vrijgesteld van btw'], reasonCode: [] },
    ...{ sale: {}, purchase: {}, sold: {}, bought: {} },
  },
  [REVERSE_CHARGE]: {
    ...{ buyer: 'dutch', printed: ['verlegd', 'Btw verlegd', 'btw verlegd naar btw-nummer NL004495445B01'] },
    ...{ category: 'AE', percent: '0', reason: ['btw verlegd'], reasonCode: ['VATEX-EU-AE'] },
    ...{ sale: { '1e': [100, 0] }, purchase: { '2a': [100, 21], '5b': [100, 21] }, sold: {}, bought: OWED },
  },
  [MARGIN]: {
    ...{ buyer: 'dutch', printed: ['marge', SCHEME], category: 'E', percent: '0' },
    ...{ reason: [SCHEME], reasonCode: ['VATEX-EU-F'] },
    ...{ sale: { '1a': [82.64, 17.36] }, purchase: {}, sold: { '1530': -1736 }, bought: {} },
  },
  [OUTSIDE]: {
    ...{ buyer: 'dutch', printed: ['geen', 'Buiten de btw', 'Buiten de heffing van btw'] },
    ...{ category: 'E', percent: '0', reason: ['Buiten de btw'], reasonCode: [] },
    ...{ sale: {}, purchase: {}, sold: {}, bought: {} },
  },
  [INTRA_COMMUNITY]: {
    ...{ buyer: 'german', printed: ['ICL', 'Intracommunautaire levering aan btw-nummer DE136695976'] },
    ...{ category: 'K', percent: '0', reason: ['Intracommunautaire levering'], reasonCode: ['VATEX-EU-IC'] },
    ...{ sale: { '3b': [100, 0] }, purchase: { '4b': [100, 21], '5b': [100, 21] }, sold: {}, bought: OWED },
  },
  [EXPORT]: {
    ...{ buyer: 'swiss', printed: ['uitvoer', 'Uitvoer, 0 % btw'], category: 'G', percent: '0' },
    ...{ reason: ['Uitvoer, 0 % btw'], reasonCode: ['VATEX-EU-G'] },
    ...{ sale: { '3a': [100, 0] }, purchase: {}, sold: {}, bought: {} },
  },
};

describe('a VAT code', () => {
  let client: Client;
  let parties: Record<Expected['buyer'], { id: number }>;
  let turnover_group_id: number;
  before(async () => {
    client = await newClient();
    await setGarage(client, { margin_method: LISTS.marginmethods.INDIVIDUAL });
    const { de, ch } = await countries();
    const peppol = { peppol_id: '0106:87654321' };
    parties = {
      dutch: await buildBuyer(client, { ...FIRM, ...peppol, vat_number: 'NL004495445B01' }),
      german: await buildBuyer(client, { ...FIRM, ...peppol, country_id: de, vat_number: 'DE136695976' }),
      swiss: await buildBuyer(client, { ...peppol, contact_kind: PERSON, country_id: ch }),
    };
    const accounts = { ledger_account: '8000', cost_ledger_account: '7000' };
    turnover_group_id = (await build(client, 'turnovergroup', { code: 'ALL', ...accounts })).id;
  });

  /** Each code has a day of its own, so that a VAT return of the day shows the code alone. */
  const dayOf = (month: string, code: VatCode) => `2026-${month}-${10 + code}`;
  const sell = (code: VatCode, order: Json = {}, day = dayOf('01', code)) =>
    invoiceOn(client, day, [{ price: 100, purchase_price: 0, vat_code: code, turnover_group_id }], {
      contact_id: parties[EXPECTED[code].buyer].id,
      buyer_reference: 'KP-7',
      ...order,
    });
  const buy = (code: VatCode) =>
    sell(
      code,
      {
        order_type: LISTS.ordertypes.VEHICLE_PURCHASE,
        purchase_proof: LISTS.purchaseproofs.SUPPLIER_INVOICE,
        supplier_invoice_number: `S-${code}`,
      },
      dayOf('02', code),
    );
  /** The boxes of a day that are not empty, without the sum 5a. */
  const boxesOn = async (day: string): Promise<Amounts> => {
    const { status, text, data } = await client.get(`/vatreturn?from=${day}&to=${day}`);
    expect(status, text).to.equal(200);
    const { margin: _, warnings: __, '5a': ___, ...boxes } = data;
    const pairs = Object.entries(boxes as Record<string, { base: number; vat: number }>)
      .filter(([, { base, vat }]) => base !== 0 || vat !== 0)
      .map(([box, { base, vat }]) => [box, [base, vat]]);
    return Object.fromEntries(pairs);
  };
  /** The VAT accounts of an order in the journal: debit less credit. */
  const vatIn = async ({ id }: Json): Promise<Record<string, number>> => {
    const { lines } = await journalOf(client, '2026-01-01', '2026-02-28');
    const own = lines.filter(
      ({ order_id, account }) => order_id === String(id) && VAT_ACCOUNTS.includes(account),
    );
    return Object.fromEntries(
      own.map(({ account, debit, credit }) => [account, toCents(debit) - toCents(credit)]),
    );
  };

  for (const code of VAT_CODES)
    it(`is known to PDF, e-invoice, VAT return and journal: ${nameOf('vatcodes', code)}`, async () => {
      const expected = EXPECTED[code];
      const [sale, purchase] = [await sell(code), await buy(code)];

      const [xml = ''] = (await eInvoices(client, { order_ids: [sale.id], format: 'peppol' })).values();

      const groups = readUbl(xml, { ...GROUPS, reasonCode: REASON_CODE });
      expect(groups).to.deep.include({ category: [expected.category], percent: [expected.percent] });
      expect(groups).to.deep.include({ reason: expected.reason, reasonCode: expected.reasonCode });
      const { text } = await readPdf(pdfOf(xml), `vat-code-${code}`);
      for (const words of expected.printed) expect(text).to.include(words);
      expect(await boxesOn(dayOf('01', code))).to.deep.equal(expected.sale);
      expect(await boxesOn(dayOf('02', code))).to.deep.equal(expected.purchase);
      expect(await vatIn(sale)).to.deep.equal(expected.sold);
      expect(await vatIn(purchase)).to.deep.equal(expected.bought);
    });

  it('is named in the Auditfile', async () => {
    const ids = VAT_CODES.map((code) => nameOf('vatcodes', code));
    const period = { from: '2026-01-01', to: '2026-02-28' };

    const { text } = await exported(client, { resource: 'journal', format: 'xaf', ...period });

    const [list = ''] = /<vatCodes>.*<\/vatCodes>/s.exec(text) ?? [];
    const named = [...list.matchAll(/<vatID>(\w+)<\/vatID>/g)].map(([, id]) => id);
    expect(named).to.have.members(ids);
  });
});
