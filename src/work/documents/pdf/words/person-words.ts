// The words of a report of personal data. Labels come from the names of the fields: an English label is the name in
// words, a Dutch one is listed here; a test finds a field without one.
import { aboutOf } from '../../../../core/model/records/about.ts';
import type { Resource } from '../../../../core/model/records/record.ts';
import type { Language } from './words.ts';

interface PersonWords {
  readonly title: (name: string) => string;
  /** Says who keeps the data, and when they were collected. */
  readonly kept: (garage: string, day: string) => string;
  readonly none: string;
  readonly yes: string;
  readonly changes: string;
  /** For a section that is too long to print. */
  readonly more: (count: number) => string;
}

export const PERSON_WORDS: Readonly<Record<Language, PersonWords>> = {
  nl: {
    title: (name) => `Persoonsgegevens van ${name}`,
    kept: (garage, day) => `Alles wat ${garage} over u bewaart, verzameld op ${day}.`,
    none: 'Geen',
    yes: 'ja',
    changes: 'Wijzigingen',
    more: (count) => `Nog ${count}: zie personal-data.json.`,
  },
  en: {
    title: (name) => `Personal data of ${name}`,
    kept: (garage, day) => `Everything that ${garage} keeps about you, collected on ${day}.`,
    none: 'None',
    yes: 'yes',
    changes: 'Changes',
    more: (count) => `${count} more: see personal-data.json.`,
  },
};

/** The title of a section. */
export const sectionTitle = (resource: Resource, language: Language): string =>
  aboutOf(resource)?.title[language] ?? inWords(resource.name);

/** English words for names that are Dutch. */
const ENGLISH: Readonly<Record<string, string>> = { huisnummer: 'House number', toevoeging: 'Addition' };

export const DUTCH: Readonly<Record<string, string>> = {
  advert_text: 'Advertentietekst',
  amount: 'Bedrag',
  amount_open: 'Nog te betalen',
  apk_expiry_date: 'APK tot',
  appointment_at: 'Afspraak',
  appointment_status: 'Status',
  approval_number: 'Akkoordnummer',
  approval_status: 'Status',
  approved_net: 'Akkoord (zonder btw)',
  article_number: 'Artikelnummer',
  book_date: 'Boekdatum',
  bpm_amount: 'Bpm',
  brand: 'Merk',
  buyer: 'Koper',
  buyer_reference: 'Kenmerk van de koper',
  changed_at: 'Gewijzigd op',
  city: 'Plaats',
  color: 'Kleur',
  communication_type: 'Soort',
  company_name: 'Bedrijfsnaam',
  contact_kind: 'Soort',
  contact_number: 'Relatienummer',
  contract_number: 'Contractnummer',
  created_at: 'Vastgelegd op',
  creditor_number: 'Crediteurnummer',
  date_of_birth: 'Geboortedatum',
  debtor_number: 'Debiteurnummer',
  description: 'Omschrijving',
  discount_percentage: 'Korting (%)',
  document_kind: 'Soort',
  driver: 'Bestuurder',
  dot: 'DOT',
  due_date: 'Vervaldatum',
  supply_date: 'Leverdatum',
  is_vat_included: 'Prijzen met btw',
  end_date: 'Einddatum',
  ended_at: 'Einde',
  ends_at: 'Einde',
  engine_number: 'Motornummer',
  external_id: 'Externe sleutel',
  file_name: 'Bestandsnaam',
  first_name: 'Voornaam',
  first_registration_date: 'Eerste toelating',
  fuel_kind: 'Brandstof',
  hours: 'Uren',
  hours_worked: 'Gewerkte uren',
  huisnummer: 'Huisnummer',
  iban: 'IBAN',
  invoice_date: 'Factuurdatum',
  invoice_number: 'Factuurnummer',
  is_archived: 'Gearchiveerd',
  is_blocked: 'Geblokkeerd',
  is_customer: 'Klant',
  is_invoiced: 'Gefactureerd',
  is_lease_company: 'Leasemaatschappij',
  is_overtime: 'Buiten werktijd',
  is_over_breaks: 'Over pauzes heen',
  is_prefered_email: 'Voorkeursadres',
  is_supplier: 'Leverancier',
  is_system: 'Systeemrecord',
  is_vat_shifted: 'Btw verlegd',
  is_without_reminders: 'Geen herinneringen',
  judgement: 'Oordeel',
  kvk_number: 'KvK-nummer',
  language: 'Taal',
  last_name: 'Achternaam',
  license_plate: 'Kenteken',
  line_kind: 'Soort regel',
  line_net: 'Bedrag zonder btw',
  line_gross: 'Bedrag met btw',
  line_vat: 'Btw',
  location: 'Plaats in de opslag',
  make: 'Merk',
  method: 'Betaalwijze',
  mileage: 'Kilometerstand',
  mime_type: 'Bestandstype',
  modified_at: 'Gewijzigd op',
  model: 'Model',
  name: 'Naam',
  notes: 'Notities',
  order_date: 'Orderdatum',
  order_number: 'Ordernummer',
  order_status: 'Status',
  order_type: 'Soort order',
  out_at: 'Uit de opslag',
  paid_at: 'Betaald op',
  payment_days: 'Betaaltermijn (dagen)',
  peppol_id: 'Adres op Peppol',
  planned_out_at: 'Gepland gereed',
  position: 'Plaats',
  postcode: 'Postcode',
  power_kw: 'Vermogen (kW)',
  prefix: 'Tussenvoegsel',
  price: 'Prijs',
  print_name: 'Naam op documenten',
  publish_status: 'Publicatie',
  published_at: 'Gepubliceerd op',
  purchase_date: 'Inkoopdatum',
  purchase_proof: 'Bewijs van inkoop',
  quantity: 'Aantal',
  read_at: 'Afgelezen op',
  reading: 'Tellerstand',
  reason: 'Reden',
  reference: 'Referentie',
  reminded_at: 'Laatste herinnering',
  reminder_count: 'Aantal herinneringen',
  remarks_internal: 'Interne opmerkingen',
  report_status: 'Melding',
  reported_at: 'Gemeld op',
  requested_net: 'Gevraagd (zonder btw)',
  role_kind: 'Rol',
  rounding: 'Afronding',
  sale_price: 'Verkoopprijs',
  self_billing_agreed_at: 'Akkoord met factuur door afnemer',
  season: 'Seizoen',
  set_number: 'Setnummer',
  sha256: 'SHA-256',
  size: 'Bytes',
  sort_order: 'Volgorde',
  start_date: 'Begindatum',
  starts_at: 'Begin',
  started_at: 'Begin',
  stock_status: 'Voorraadstatus',
  stored_at: 'In de opslag',
  street: 'Straat',
  supplier_invoice_date: 'Factuurdatum van de verkoper',
  supplier_invoice_number: 'Factuurnummer van de verkoper',
  tax_kind: 'Btw-soort',
  toevoeging: 'Toevoeging',
  total_gross: 'Totaal met btw',
  total_net: 'Totaal zonder btw',
  total_vat: 'Totaal btw',
  transmission_kind: 'Versnelling',
  tread_mm: 'Profiel (mm)',
  tyreset_status: 'Status',
  unit_type: 'Eenheid',
  valid_until: 'Geldig tot',
  value: 'Nummer of adres',
  vat_code: 'Btw-code',
  vat_number: 'Btw-nummer',
  vat_percentage: 'Btw (%)',
  vehicle_kind: 'Soort voertuig',
  vehicles: 'Voertuigen op de factuur',
  version_name: 'Uitvoering',
  vin: 'VIN',
  warranty_end_date: 'Garantie tot',
};

export const labelOf = (field: string, language: Language): string =>
  (language === 'nl' ? DUTCH : ENGLISH)[field] ?? inWords(field);

/** `last_name` → `Last name` */
function inWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
