// The structure of an e-invoice: its two formats, its two kinds, its parties and its references.
import { LISTS } from '../../../../src/core/trade/lists.ts';
import { expect } from '../../../support/client/expect.ts';
import { LINES, pdfOf, readUbl, TOTALS } from '../../../support/files/ubl.ts';
import { line, VEHICLE } from '../pdf/samples.ts';
import { PDF, xmlOf } from './samples.ts';

const { ordertypes, linekinds, vatcodes } = LISTS;

const HEAD = {
  root: '/*',
  rules: '/*/cbc:CustomizationID',
  number: '/*/cbc:ID',
  issued: '/*/cbc:IssueDate',
  due: '/*/cbc:DueDate',
  type: '/*/cbc:InvoiceTypeCode | /*/cbc:CreditNoteTypeCode',
  note: '/*/cbc:Note',
  buyerReference: '/*/cbc:BuyerReference',
  order: '/*/cac:OrderReference/cbc:ID',
  credited: '/*/cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID',
  supplied: '//cbc:ActualDeliveryDate',
} as const;
const PAYMENT = {
  means: '//cbc:PaymentMeansCode',
  account: '//cac:PayeeFinancialAccount/cbc:ID',
  stating: '//cbc:PaymentID',
  terms: '//cac:PaymentTerms/cbc:Note',
} as const;
const CREDIT = { order: { order_type: ordertypes.INTERNAL_REVERSAL } } as const;

describe('an e-invoice', () => {
  it("is an invoice with number, references, and dates in the owner's time zone", () => {
    const head = readUbl(xmlOf(), HEAD);

    expect(head).to.deep.include({
      rules: ['urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0'],
      number: ['F202600007'],
      issued: ['2026-05-06'],
      due: ['2026-05-20'],
      supplied: ['2026-05-04'],
      type: ['380'],
      buyerReference: ['KP-7'],
      order: ['Inkoop 88'],
      credited: [],
    });
  });

  it("has the order's reference where the buyer has no other one, and the approval of a lease company beside it", () => {
    const order = { buyer_reference: null };
    const [own, leased] = [xmlOf({ order }), xmlOf({ order, approval_number: 'LC-4' })];

    expect(readUbl(own, HEAD)).to.deep.include({ buyerReference: ['Inkoop 88'], order: ['Inkoop 88'] });
    expect(readUbl(leased, HEAD)).to.deep.include({ buyerReference: ['Inkoop 88'], order: ['LC-4'] });
  });

  it('names the rules of Peppol in that format, and has the same content', () => {
    const [nlcius, peppol] = (['nlcius', 'peppol'] as const).map((format) => xmlOf({ format }));

    const rules = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
    expect(readUbl(peppol ?? '', HEAD).rules).to.deep.equal([rules]);
    expect(peppol?.replace(rules, '')).to.equal(nlcius?.replace(/urn:cen[^<]*/, ''));
  });

  it('is a credit note that names its invoice, and turns the amounts around', () => {
    const lines = [line({ quantity: '-4.5000', line_net: '-58.28' })];
    const credited = { invoice_number: 'F202600003', invoice_date: '2026-03-01 10:00:00.000' };
    const xml = xmlOf({ ...CREDIT, lines, credited });

    expect(readUbl(xml, HEAD)).to.deep.include({ type: ['381'], credited: ['F202600003'], due: [] });
    expect(readUbl(xml, LINES)).to.deep.include({ quantity: ['4.5'], amount: ['58.28'], price: ['12.95'] });
    expect(readUbl(xml, TOTALS)).to.deep.include({ net: ['58.28'], vat: ['12.24'], payable: ['70.52'] });
    expect(xml).to.match(/<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"/);
  });

  it('holds the PDF', () => {
    const xml = xmlOf();

    expect(pdfOf(xml)).to.deep.equal(PDF);
    expect(xml).to.include('mimeCode="application/pdf" filename="factuur-F202600007.pdf"');
  });

  it('names the seller by the trade register, and both by address, VAT number and place on the network', () => {
    const read = (side: string) =>
      readUbl(xmlOf({ buyer: { vat_number: 'NL002198178B09', kvk_number: '87654321' } }), {
        endpoint: `//cac:Accounting${side}Party//cbc:EndpointID`,
        name: `//cac:Accounting${side}Party//cbc:RegistrationName`,
        number: `//cac:Accounting${side}Party//cac:PartyLegalEntity/cbc:CompanyID`,
        vat: `//cac:Accounting${side}Party//cac:PartyTaxScheme/cbc:CompanyID`,
        address: `//cac:Accounting${side}Party//cac:PostalAddress/cbc:*`,
        country: `//cac:Accounting${side}Party//cbc:IdentificationCode`,
      });

    expect(read('Supplier')).to.deep.equal({
      endpoint: ['12345678'],
      name: ['Autobedrijf De Brug B.V.'],
      number: ['12345678'],
      vat: ['NL004495445B01'],
      address: ['Oudegracht 120A', 'Utrecht', '3511 AX'],
      country: ['NL'],
    });
    expect(read('Customer')).to.deep.equal({
      endpoint: ['00000001003214345000'],
      name: ['Anna de Boer'],
      number: ['87654321'],
      vat: ['NL002198178B09'],
      address: ['Lindelaan 7-2', 'Utrecht', '3581 KL'],
      country: ['NL'],
    });
  });

  it('has some number of a Dutch buyer where the Dutch rules demand one', () => {
    const number = (changes: Parameters<typeof xmlOf>[0]) =>
      readUbl(xmlOf(changes), { number: '//cac:AccountingCustomerParty//cac:PartyLegalEntity/cbc:CompanyID' })
        .number;
    const none = { peppol_id: null };

    expect(number({})).to.deep.equal(['00000001003214345000']);
    expect(number({ buyer: none })).to.deep.equal(['n.v.t.']);
    expect(number({ buyer: none, format: 'peppol' })).to.deep.equal([]);
    expect(number({ buyer: { ...none, country_id: 3 } })).to.deep.equal([]);
    expect(number({ seller: { country_id: 3 }, buyer: none })).to.deep.equal([]);
  });

  it('names the account only where the customer is to pay', () => {
    const account = 'NL91ABNA0417164300';
    const negative = [line({ line_net: '-100.00' })];

    expect(readUbl(xmlOf(), PAYMENT)).to.deep.equal({
      means: ['30'],
      account: [account],
      stating: ['F202600007'],
      terms: [],
    });
    const paidBack = readUbl(xmlOf({ lines: negative }), PAYMENT);
    expect(paidBack).to.deep.include({ means: [], account: [] });
    expect(paidBack.terms[0]).to.match(/^Het bedrag van € 121,00 wordt/);
    expect(readUbl(xmlOf({ ...CREDIT, lines: negative }), PAYMENT).means).to.deep.equal([]);
    expect(readUbl(xmlOf(CREDIT), PAYMENT)).to.deep.include({ means: ['30'], account: [account] });
  });

  it('is of type 389 where the garage makes out the invoice, and 381 as a credit note of one', () => {
    const seller = { name: 'Autohandel Peters', iban: 'NL20INGB0001234567' };
    const read = (changes: Parameters<typeof xmlOf>[0]) =>
      readUbl(xmlOf({ isSelfBilled: true, seller, ...changes }), {
        type: '/*/*[self::cbc:InvoiceTypeCode or self::cbc:CreditNoteTypeCode]',
        seller: '//cac:AccountingSupplierParty//cbc:Name',
        account: PAYMENT.account,
        terms: PAYMENT.terms,
      });

    expect(read({})).to.deep.include({
      type: ['389'],
      seller: ['Autohandel Peters'],
      account: [seller.iban],
    });
    const credit = read({ ...CREDIT, lines: [line({ quantity: '-4.5000', line_net: '-58.28' })] });
    expect(credit).to.deep.include({ type: ['381'], seller: ['Autohandel Peters'], account: [] });
    expect(credit.terms[0]).to.match(/wordt met u verrekend, of u betaalt het aan ons terug/);
  });

  it('has the name for print in place of the others', () => {
    const buyer = { company_name: 'شركة', last_name: 'محمد', print_name: 'Sharikat Mohammed' };

    const names = readUbl(xmlOf({ buyer }), {
      registered: '//cac:AccountingCustomerParty//cbc:RegistrationName',
      contact: '//cac:AccountingCustomerParty//cac:Contact/cbc:Name',
    });

    expect(names).to.deep.equal({ registered: ['Sharikat Mohammed'], contact: [] });
  });

  it('writes the numbers of its notes in the language of the buyer', () => {
    const changes = { vehicle: VEHICLE, order: { is_vat_included: 1 } };
    const lines = [line({ discount_percentage: '12.5000', line_net: '50.99', line_gross: '61.70' })];
    const notes = (language: string) =>
      readUbl(xmlOf({ ...changes, lines, buyer: { language } }), { note: '//cbc:Note' }).note.join(' ');

    expect(notes('nl')).to.match(/84\.210 km.*12,5 %/s);
    expect(notes('en')).to.match(/84,210 km.*12\.5 %/s);
  });

  it('is in English for a buyer of another language, except for the words of Dutch law', () => {
    const codes = [vatcodes.EXEMPT, vatcodes.MARGIN, vatcodes.REVERSE_CHARGE];
    const lines = codes.map((vat_code) =>
      line({ vat_code, discount_percentage: '10.0000', line_net: '52.45' }),
    );
    const english = readUbl(xmlOf({ buyer: { language: 'de' }, lines }), {
      reasons: '//cbc:TaxExemptionReason',
      discount: '//cbc:AllowanceChargeReason',
      title: '//cbc:DocumentDescription',
    });

    expect(english.reasons).to.deep.equal([
      'Exempt from VAT; Bijzondere regeling – gebruikte goederen',
      'btw verlegd',
    ]);
    expect(new Set(english.discount)).to.deep.equal(new Set(['Discount']));
    expect(english.title).to.deep.equal(['Invoice F202600007']);
  });

  it('tells the vehicle, the description and lines of text in its note, and the plate by itself', () => {
    const texts = [line(), line({ line_kind: linekinds.TEXT, description: 'Let op', line_net: '0.00' })];
    const xml = xmlOf({ vehicle: VEHICLE, order: { description: 'Kleine beurt' }, lines: texts });

    expect(readUbl(xml, HEAD).note).to.deep.equal([
      'Kenteken GB-001-B, Volkswagen Golf 1.5 TSI Highline Business R, ' +
        'Chassisnummer (VIN) WVWZZZ1JZ3W000001, 84.210 km\nKleine beurt\nLet op',
    ]);
    expect(readUbl(xml, { plate: '//cbc:ID[@schemeID="ABZ"]' }).plate).to.deep.equal(['GB-001-B']);
    expect(readUbl(xml, LINES).name).to.deep.equal(['Motorolie 5W30 longlife']);
  });

  it('leaves out characters that XML can not hold, and is well-formed', () => {
    const nasty = 'é \u0000\u0001\b\u000b\u001f\u0085\ufffe\uffff]]> <&> 🚗\r\nregel';
    const xml = xmlOf({
      seller: { name: nasty, legal_name: nasty },
      buyer: { company_name: nasty, street: nasty },
      order: { description: nasty, buyer_reference: nasty, reference: '\u0001 ' },
      lines: [line({ description: nasty, article_number: '\u0002' }), line({ description: '\u0001' })],
    });

    const clean = 'é ]]> <&> 🚗\nregel';
    const { name } = readUbl(xml, LINES);
    expect(name).to.deep.equal([clean, 'OL-5W30']);
    expect(readUbl(xml, HEAD)).to.deep.include({ note: [clean], buyerReference: [clean], order: [] });
  });
});
