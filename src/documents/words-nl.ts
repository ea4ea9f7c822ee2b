// The words of a Dutch document. Their type is the type of every other language.
import { LISTS } from '../trade/lists.ts';
import type { DocumentType } from './data.ts';

const { INVOICE, CREDIT_NOTE, QUOTATION, ORDER_CONFIRMATION, WORK_ORDER } = LISTS.documenttypes;
const { PIECE, HOUR, LITRE, SET, METRE, KILOGRAM } = LISTS.unittypes;
const { ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE } = LISTS.vatcodes;

/** The wording that the law requires on an invoice of goods under the margin scheme. */
export const MARGIN_SCHEME = 'Bijzondere regeling – gebruikte goederen';

export const NL = {
  titles: {
    [INVOICE]: 'Factuur',
    [CREDIT_NOTE]: 'Creditnota',
    [QUOTATION]: 'Offerte',
    [ORDER_CONFIRMATION]: 'Orderbevestiging',
    [WORK_ORDER]: 'Werkorder',
  } as Record<DocumentType, string>,
  numbers: {
    [INVOICE]: 'Factuurnummer',
    [CREDIT_NOTE]: 'Creditnotanummer',
    [QUOTATION]: 'Offertenummer',
    [ORDER_CONFIRMATION]: 'Ordernummer',
    [WORK_ORDER]: 'Werkordernummer',
  } as Record<DocumentType, string>,
  dates: {
    [INVOICE]: 'Factuurdatum',
    [CREDIT_NOTE]: 'Datum',
    [QUOTATION]: 'Offertedatum',
    [ORDER_CONFIRMATION]: 'Orderdatum',
    [WORK_ORDER]: 'Datum',
  } as Record<DocumentType, string>,
  units: {
    [PIECE]: 'st',
    [HOUR]: 'uur',
    [LITRE]: 'l',
    [SET]: 'set',
    [METRE]: 'm',
    [KILOGRAM]: 'kg',
  } as Record<number, string>,
  /** VAT codes that are shown as a word, not as a percentage. */
  vatOfLine: {
    [EXEMPT]: 'vrij',
    [REVERSE_CHARGE]: 'verlegd',
    [MARGIN]: 'marge',
    [OUTSIDE]: 'geen',
  } as Record<number, string>,
  vatOfSummary: {
    [ZERO]: '0%',
    [EXEMPT]: 'Vrijgesteld',
    [REVERSE_CHARGE]: 'Btw verlegd',
    [OUTSIDE]: 'Buiten de btw',
  } as Record<number, string>,
  supplied: 'Leverdatum',
  due: 'Vervaldatum',
  order: 'Ordernummer',
  credits: 'Creditering van factuur',
  creditedOn: 'Factuur van',
  reference: 'Uw kenmerk',
  customer: 'Klantnummer',
  buyerVat: 'Uw btw-nummer',
  appointment: 'Afspraak',
  plannedOut: 'Gepland gereed',
  employee: 'Behandeld door',
  attention: 't.a.v.',
  phone: 'T',
  kvk: 'KvK',
  vat: 'Btw-nummer',
  iban: 'IBAN',
  plate: 'Kenteken',
  makeAndModel: 'Merk en model',
  vin: 'Chassisnummer (VIN)',
  mileage: 'Kilometerstand',
  kilometres: 'km',
  lineDescription: 'Omschrijving',
  article: 'Art.',
  quantity: 'Aantal',
  unit: 'Eenheid',
  price: 'Prijs',
  discount: 'Korting',
  lineVat: 'Btw',
  amount: 'Bedrag',
  done: 'Gereed',
  rate: 'Btw-tarief',
  base: 'Grondslag',
  vatAmount: 'Btw',
  totalNet: 'Totaal exclusief btw',
  totalVat: 'Btw',
  totalMargin: 'Margegoederen',
  totalGross: 'Totaal inclusief btw',
  total: 'Totaal',
  marginScheme: MARGIN_SCHEME,
  reverseCharge: (number: string | null) =>
    number === null ? 'Btw verlegd' : `Btw verlegd naar btw-nummer ${number}`,
  exempt: 'Vrijgesteld van btw',
  pay: (amount: string, date: string) => `Wij verzoeken u ${amount} uiterlijk ${date} te betalen`,
  payTo: (iban: string) => ` op ${iban}`,
  payName: (name: string) => ` ten name van ${name}`,
  payStating: (number: string) => `, onder vermelding van ${number}.`,
  paidBack: (amount: string) => `Het bedrag van ${amount} wordt met u verrekend of aan u terugbetaald.`,
  paidOut: (amount: string, date: string) => `Wij betalen u ${amount} uiterlijk ${date}.`,
  remarks: 'Opmerkingen',
  agreed: 'Voor akkoord',
  customerSigns: 'Handtekening klant',
  mechanicSigns: 'Handtekening monteur',
  nameAndDate: 'Naam en datum',
  continued: 'vervolg',
  page: (page: number, of: number) => `Pagina ${page} van ${of}`,
};

export type Words = typeof NL;
