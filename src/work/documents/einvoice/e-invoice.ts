// Writes an e-invoice: UBL 2.1, an Invoice or a CreditNote, with the PDF in it. The same data makes the same text.
// A trade-in is payment in kind, not a line: the buyer would deduct too little VAT.

import { cents, euros } from '../../../core/trade/totals.ts';
import { vatRow } from '../../../core/trade/vat-code.ts';
import type { DocumentData } from '../pdf/data.ts';
import { isCredit, nameDocument, numberOf } from '../pdf/draft.ts';
import { isoDay, number } from '../pdf/format.ts';
import { saleVatOf, totalsOf } from '../pdf/totals.ts';
import { splitTradeIns, tradeInText } from '../pdf/trade-in.ts';
import { WORDS, type Words } from '../pdf/words/words.ts';
import { money, type Sign, turned } from './amount.ts';
import type { EInvoiceData } from './data.ts';
import { CUSTOMIZATIONS, PROFILE } from './format.ts';
import { lineElement, splitLines } from './line.ts';
import { buyerParty, sellerParty } from './party.ts';
import { paymentElements } from './payment.ts';
import { clean, joined } from './text.ts';
import { taxTotal, vatTotals } from './vat.ts';
import { writeXml } from './xml.ts';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';

/** Names and codes of an Invoice; CREDIT_NOTE has the others. */
const INVOICE = {
  root: 'Invoice',
  type: 'cbc:InvoiceTypeCode',
  code: '380',
  quantity: 'cbc:InvoicedQuantity',
};
/** The garage makes out the seller's invoice. The Dutch rules have no special code for the credit note of one. */
const SELF_BILLED = { ...INVOICE, code: '389' };
const CREDIT_NOTE = {
  root: 'CreditNote',
  type: 'cbc:CreditNoteTypeCode',
  code: '381',
  quantity: 'cbc:CreditedQuantity',
};

/** Code 1153 of UN/CEFACT for a license plate, and code 1001 for the object that an invoice is about. */
const LICENSE_PLATE = 'ABZ';
const INVOICED_OBJECT = '130';

/** Makes the XML. `pdf`: the same document on paper. Nothing may be missing: see `missing`. */
export function renderEInvoice(data: EInvoiceData, pdf: Buffer): string {
  const kind = isCredit(data) ? CREDIT_NOTE : data.isSelfBilled ? SELF_BILLED : INVOICE;
  return writeXml({
    name: kind.root,
    namespace: `${UBL}:${kind.root}-2`,
    prefixes: {
      cac: `${UBL}:CommonAggregateComponents-2`,
      cbc: `${UBL}:CommonBasicComponents-2`,
    },
    content: {
      ...head(data, kind),
      ...references(data, pdf),
      'cac:AccountingSupplierParty': sellerParty(data),
      'cac:AccountingCustomerParty': buyerParty(data),
      'cac:Delivery': delivery(data),
      ...amounts(data, kind),
    },
  });
}

/** When the goods were supplied, and for goods to another EU country where to. */
function delivery(data: EInvoiceData) {
  const { order, seller, buyer, countries } = data;
  const isIntraCommunity = splitTradeIns(data).sold.some(
    ({ vat_code }) => vatRow(vat_code).eInvoice.category === 'K',
  );
  const country = { 'cbc:IdentificationCode': countries.get(buyer.country_id) };
  return {
    'cbc:ActualDeliveryDate': isoDay(order.supply_date ?? nameDocument(data).date, seller),
    'cac:DeliveryLocation': isIntraCommunity ? { 'cac:Address': { 'cac:Country': country } } : undefined,
  };
}

function head(data: EInvoiceData, { type, code }: typeof INVOICE) {
  const { order, seller, format } = data;
  const { date } = nameDocument(data);
  return {
    'cbc:CustomizationID': CUSTOMIZATIONS[format],
    'cbc:ProfileID': PROFILE,
    'cbc:ID': clean(numberOf(data)),
    'cbc:IssueDate': isoDay(date, seller),
    // A credit note of UBL has no due date here.
    'cbc:DueDate': isCredit(data) || order.due_date === null ? undefined : isoDay(order.due_date, seller),
    [type]: code,
    'cbc:Note': note(data),
    'cbc:DocumentCurrencyCode': 'EUR',
    'cbc:BuyerReference': clean(order.buyer_reference) ?? clean(order.reference),
  };
}

/**
 * The vehicle, the description of the order, the lines that are only text, and what is traded in. Peppol takes one
 * note.
 */
function note(data: DocumentData): string | undefined {
  const { sold, tradedIn } = splitTradeIns(data);
  return joined([
    vehicleText(data),
    data.order.description,
    ...splitLines(sold).texts.map(({ description }) => description),
    ...tradedIn.map((line) => wordsOf(data).tradedIn(tradeInText(line))),
  ]);
}

function vehicleText(data: DocumentData): string | undefined {
  const { vehicle, order } = data;
  if (!vehicle) return undefined;
  const { language } = nameDocument(data);
  const words = WORDS[language];
  const mileage = order.mileage ?? vehicle.mileage;
  return joined(
    [
      `${words.plate} ${vehicle.license_plate}`,
      joined([vehicle.make, vehicle.model, vehicle.version_name], ' '),
      vehicle.vin && `${words.vin} ${vehicle.vin}`,
      mileage === null ? undefined : `${number(String(mileage), language)} ${words.kilometres}`,
    ],
    ', ',
  );
}

function references(data: EInvoiceData, pdf: Buffer) {
  const { order, credited, vehicle, approval_number } = data;
  const { title, fileName } = nameDocument(data);
  // A lease company knows the order by its approval.
  const reference = clean(approval_number ?? null) ?? clean(order.reference);
  const plate = clean(vehicle?.license_plate);
  return {
    'cac:OrderReference': reference && { 'cbc:ID': reference },
    'cac:BillingReference': credited && {
      'cac:InvoiceDocumentReference': { 'cbc:ID': clean(credited.invoice_number) },
    },
    'cac:AdditionalDocumentReference': [
      ...(plate
        ? [{ 'cbc:ID': { '@schemeID': LICENSE_PLATE, '#': plate }, 'cbc:DocumentTypeCode': INVOICED_OBJECT }]
        : []),
      {
        'cbc:ID': fileName,
        'cbc:DocumentDescription': clean(title),
        'cac:Attachment': {
          'cbc:EmbeddedDocumentBinaryObject': {
            '@mimeCode': 'application/pdf',
            '@filename': fileName,
            '#': pdf.toString('base64'),
          },
        },
      },
    ],
  };
}

function amounts(data: EInvoiceData, { root, quantity }: typeof INVOICE) {
  const sign: Sign = isCredit(data) ? -1 : 1;
  const words = wordsOf(data);
  const { counted } = splitLines(splitTradeIns(data).sold);
  const totals = vatTotals(counted, saleVatOf(data));
  const due = totalsOf(data).due;
  const prepaid = prepaidOf(data, totals.gross, due);
  const amount = (value: string) => money(turned(value, sign));
  return {
    ...paymentElements(data, due, nameDocument(data).language),
    'cac:TaxTotal': taxTotal(totals, sign, nameDocument(data).language, data.format),
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': amount(totals.net),
      'cbc:TaxExclusiveAmount': amount(totals.net),
      'cbc:TaxInclusiveAmount': amount(totals.gross),
      ...(prepaid !== 0n && { 'cbc:PrepaidAmount': amount(euros(prepaid)) }),
      'cbc:PayableAmount': amount(euros(cents(totals.gross) - prepaid)),
    },
    [`cac:${root}Line`]: counted.map((line, index) =>
      lineElement(line, index, {
        sign,
        groups: totals.groups,
        words,
        language: nameDocument(data).language,
        isVatIncluded: data.order.is_vat_included === 1,
        quantityName: quantity,
      }),
    ),
  };
}

/**
 * What is traded in, and what was paid, in cents. What a credit note and its invoice settle is no payment: the buyer
 * books both.
 */
function prepaidOf({ payment }: DocumentData, gross: string, due: string): bigint {
  const paid = payment ? cents(payment.paid) - cents(payment.offset) : 0n;
  return cents(gross) - cents(due) + paid;
}

const wordsOf = (data: DocumentData): Words => WORDS[nameDocument(data).language];
