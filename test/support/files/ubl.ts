// Reads e-invoices with libxml2, which refuses XML that is not well-formed.
import { XmlDocument } from 'libxml2-wasm';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd';
const NAMES = { cac: `${UBL}:CommonAggregateComponents-2`, cbc: `${UBL}:CommonBasicComponents-2` };

/** The texts at each of the XPaths, such as `//cac:Item/cbc:Name`. */
export function readUbl<const P extends Record<string, string>>(
  xml: Buffer | string,
  paths: P,
): { [Name in keyof P]: string[] } {
  const document = XmlDocument.fromString(xml.toString());
  try {
    const textsAt = (path: string) => document.find(path, NAMES).map(({ content }) => content);
    return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, textsAt(path)])) as {
      [Name in keyof P]: string[];
    };
  } finally {
    document.dispose();
  }
}

export const TOTALS = {
  net: '//cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount',
  lines: '//cac:LegalMonetaryTotal/cbc:LineExtensionAmount',
  vat: '/*/cac:TaxTotal/cbc:TaxAmount',
  gross: '//cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount',
  payable: '//cac:LegalMonetaryTotal/cbc:PayableAmount',
} as const;

export const GROUPS = {
  category: '//cac:TaxSubtotal/cac:TaxCategory/cbc:ID',
  percent: '//cac:TaxSubtotal/cac:TaxCategory/cbc:Percent',
  taxable: '//cac:TaxSubtotal/cbc:TaxableAmount',
  tax: '//cac:TaxSubtotal/cbc:TaxAmount',
  reason: '//cbc:TaxExemptionReason',
} as const;

const LINE = '//*[self::cac:InvoiceLine or self::cac:CreditNoteLine]';

export const LINES = {
  quantity: `${LINE}/*[self::cbc:InvoicedQuantity or self::cbc:CreditedQuantity]`,
  amount: `${LINE}/cbc:LineExtensionAmount`,
  allowance: `${LINE}/cac:AllowanceCharge/cbc:Amount`,
  price: `${LINE}/cac:Price/cbc:PriceAmount`,
  name: `${LINE}/cac:Item/cbc:Name`,
} as const;

/** The PDF that the e-invoice holds. */
export const pdfOf = (xml: Buffer | string): Buffer =>
  Buffer.from(readUbl(xml, { pdf: '//cbc:EmbeddedDocumentBinaryObject' }).pdf.join(''), 'base64');
