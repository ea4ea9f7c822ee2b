// The words of a Dutch document. Their type is the type of every other language.
import { LISTS } from '../../trade/lists.ts';
import type { DocumentType } from './data.ts';

const { INVOICE, CREDIT_NOTE, QUOTATION, ORDER_CONFIRMATION, WORK_ORDER, PURCHASE_STATEMENT } =
  LISTS.documenttypes;
const { PIECE, HOUR, LITRE, SET, METRE, KILOGRAM } = LISTS.unittypes;
const { ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;

/** The wording that the law requires on an invoice of goods under the margin scheme. */
export const MARGIN_SCHEME = 'Bijzondere regeling – gebruikte goederen';

/** The wording for supplies to other countries. */
export const INTRA_COMMUNITY_SUPPLY = 'Intracommunautaire levering';
export const EXPORT_SUPPLY = 'Uitvoer, 0 % btw';

/** The wording that the law requires on an invoice that the buyer makes out. */
export const SELF_BILLED = 'Factuur uitgereikt door afnemer';

export const NL = {
  titles: {
    [INVOICE]: 'Factuur',
    [CREDIT_NOTE]: 'Creditnota',
    [QUOTATION]: 'Offerte',
    [ORDER_CONFIRMATION]: 'Orderbevestiging',
    [WORK_ORDER]: 'Werkorder',
    [PURCHASE_STATEMENT]: 'Inkoopverklaring',
  } as Record<DocumentType, string>,
  numbers: {
    [INVOICE]: 'Factuurnummer',
    [CREDIT_NOTE]: 'Creditnotanummer',
    [QUOTATION]: 'Offertenummer',
    [ORDER_CONFIRMATION]: 'Ordernummer',
    [WORK_ORDER]: 'Werkordernummer',
    [PURCHASE_STATEMENT]: 'Nummer',
  } as Record<DocumentType, string>,
  dates: {
    [INVOICE]: 'Factuurdatum',
    [CREDIT_NOTE]: 'Datum',
    [QUOTATION]: 'Offertedatum',
    [ORDER_CONFIRMATION]: 'Orderdatum',
    [WORK_ORDER]: 'Datum',
    [PURCHASE_STATEMENT]: 'Datum',
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
    [INTRA_COMMUNITY]: 'ICL',
    [EXPORT]: 'uitvoer',
  } as Record<number, string>,
  vatOfSummary: {
    [ZERO]: '0%',
    [EXEMPT]: 'Vrijgesteld',
    [REVERSE_CHARGE]: 'Btw verlegd',
    [OUTSIDE]: 'Buiten de btw',
    [INTRA_COMMUNITY]: INTRA_COMMUNITY_SUPPLY,
    [EXPORT]: EXPORT_SUPPLY,
  } as Record<number, string>,
  /** The confirmation of a sold vehicle. */
  salesAgreement: 'Koopovereenkomst',
  selfBilled: SELF_BILLED,
  seller: 'Verkoper',
  buyer: 'Koper',
  supplied: 'Leverdatum',
  validUntil: 'Geldig tot',
  due: 'Vervaldatum',
  order: 'Ordernummer',
  credits: 'Creditering van factuur',
  creditsStatement: 'Creditering van',
  creditedOn: 'Factuur van',
  reference: 'Uw kenmerk',
  buyerReference: 'Inkoopreferentie',
  approval: 'Akkoordnummer',
  customer: 'Klantnummer',
  driver: 'Bestuurder',
  customerPhone: 'Telefoon',
  buyerVat: 'Uw btw-nummer',
  ourVat: 'Btw-nummer koper',
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
  priceWithVat: 'Prijs incl. btw',
  discount: 'Korting',
  lineVat: 'Btw',
  amount: 'Bedrag',
  amountWithVat: 'Bedrag incl. btw',
  /** The net of a line whose amount includes VAT. */
  withoutVat: (amount: string) => `${amount} exclusief btw`,
  done: 'Gereed',
  rate: 'Btw-tarief',
  base: 'Grondslag',
  vatAmount: 'Btw',
  totalNet: 'Totaal exclusief btw',
  totalVat: 'Btw',
  totalMargin: 'Margegoederen',
  otherNet: 'Overig exclusief btw',
  other: 'Overig',
  otherVat: 'Btw over overig',
  paid: 'Betaald',
  amountOpen: 'Nog te betalen',
  paidBackPart: 'Verrekend of terugbetaald',
  openPayBack: 'Nog terug te betalen',
  tradeIn: 'Af: inruil',
  tradeInBack: 'Inruil terug',
  /** The VAT within a trade-in. */
  withVat: (amount: string) => `incl. ${amount} btw`,
  tradedIn: (what: string) => `Ingeruild: ${what}`,
  purchaseAmount: 'Aankoopbedrag',
  toPay: 'Te betalen',
  toPayBack: 'Terug te betalen',
  totalGross: 'Totaal inclusief btw',
  total: 'Totaal',
  marginScheme: MARGIN_SCHEME,
  // The law's words are `btw verlegd`, and programs look for them as they are.
  reverseCharge: (number: string | null) =>
    number === null ? 'Hierop is de btw verlegd' : `Hierop is de btw verlegd naar btw-nummer ${number}`,
  intraCommunity: (number: string | null) =>
    number === null ? INTRA_COMMUNITY_SUPPLY : `${INTRA_COMMUNITY_SUPPLY} aan btw-nummer ${number}`,
  exportSupply: EXPORT_SUPPLY,
  exempt: 'Vrijgesteld van btw',
  outside: 'Buiten de heffing van btw',
  settled: 'Deze factuur is voldaan.',
  settledCredit: 'Deze creditnota is verrekend of terugbetaald.',
  scan: 'Scan en betaal met de app van uw bank',
  scanShows: (amount: string) => `QR-code om ${amount} te betalen met de app van uw bank`,
  logoOf: (name: string) => `Logo van ${name}`,
  pay: (amount: string, date: string) => `Wij verzoeken u ${amount} uiterlijk ${date} te betalen`,
  payTo: (iban: string) => ` op ${iban}`,
  payName: (name: string) => ` ten name van ${name}`,
  payStating: (number: string) => `, onder vermelding van ${number}.`,
  paidBack: (amount: string) => `Het bedrag van ${amount} wordt met u verrekend of aan u terugbetaald.`,
  paidOut: (amount: string, date: string) => `Wij betalen u ${amount} uiterlijk ${date}`,
  takenBack: (amount: string) =>
    `Het bedrag van ${amount} wordt met u verrekend, of u betaalt het aan ons terug.`,
  declared:
    'De verkoper verklaart dat het voertuig zijn eigendom is, en dat hij het voor het genoemde bedrag aan de koper heeft verkocht en geleverd. ' +
    'De verkoper verklaart dat hij voor dit voertuig geen btw in aftrek heeft gebracht.',
  statementLapses:
    'De verkoper heeft het voertuig teruggekregen. Het aankoopbedrag vervalt; wat de koper ervan betaald heeft, betaalt de verkoper terug.',
  tyres: 'Banden (mm)',
  /** Front left, front right, rear left, rear right. */
  tyrePlaces: ['LV', 'RV', 'LA', 'RA'],
  remarks: 'Opmerkingen',
  agreed: 'Voor akkoord',
  buyerSigns: 'Handtekening koper',
  sellerSigns: 'Handtekening verkoper',
  customerSigns: 'Handtekening klant',
  mechanicSigns: 'Handtekening monteur',
  nameAndDate: 'Naam en datum',
  continued: 'vervolg',
  page: (page: number, of: number) => `Pagina ${page} van ${of}`,
};

export type Words = typeof NL;
