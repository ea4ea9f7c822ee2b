// Seller and buyer of an e-invoice.

import { KVK_SCHEME, OIN_SCHEME, splitPeppolId } from '../../../core/trade/identity/peppol-id.ts';
import { attentionOf } from '../../../core/trade/identity/printed-name.ts';
import type { Address, Buyer, Party } from '../pdf/data.ts';
import { addressLines } from '../pdf/format.ts';
import { buyerName, type EInvoiceData, sellerName } from './data.ts';
import { clean } from './text.ts';
import { VAT } from './vat.ts';

/** Takes the place of a number that the Dutch rules want and the buyer does not have. */
const NONE = 'n.v.t.';

export const sellerParty = ({ seller, countries }: EInvoiceData) => ({
  'cac:Party': {
    'cbc:EndpointID': endpoint(seller),
    'cac:PartyName': { 'cbc:Name': clean(seller.name) ?? sellerName(seller) },
    'cac:PostalAddress': address(seller, countries),
    'cac:PartyTaxScheme': taxScheme(seller),
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': sellerName(seller),
      'cbc:CompanyID': { '@schemeID': KVK_SCHEME, '#': clean(seller.kvk_number) },
    },
    'cac:Contact': whenFilled({
      'cbc:Telephone': clean(seller.phone),
      'cbc:ElectronicMail': clean(seller.email),
    }),
  },
});

export const buyerParty = ({ format, seller, buyer, countries }: EInvoiceData) => ({
  'cac:Party': {
    'cbc:EndpointID': endpoint(buyer),
    'cac:PostalAddress': address(buyer, countries),
    'cac:PartyTaxScheme': taxScheme(buyer),
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': buyerName(buyer),
      'cbc:CompanyID':
        registration(buyer) ??
        // Between two Dutch parties, NLCIUS demands a number also of a buyer who is in no register.
        (format === 'nlcius' && [seller, buyer].every(({ country_id }) => countries.get(country_id) === 'NL')
          ? { '@schemeID': KVK_SCHEME, '#': NONE }
          : undefined),
    },
    'cac:Contact': whenFilled({
      'cbc:Name': clean(attentionOf(buyer)),
    }),
  },
});

/** The KvK number of a company, or the OIN of a public body. */
function registration(buyer: Buyer) {
  const kvk = clean(buyer.kvk_number);
  if (kvk) return { '@schemeID': KVK_SCHEME, '#': kvk };
  const { scheme, value } = splitPeppolId(clean(buyer.peppol_id) ?? '');
  return [KVK_SCHEME, OIN_SCHEME].includes(scheme) ? { '@schemeID': scheme, '#': value } : undefined;
}

function endpoint({ peppol_id }: Party) {
  const id = clean(peppol_id);
  if (!id) return undefined;
  const { scheme, value } = splitPeppolId(id);
  return { '@schemeID': scheme, '#': value };
}

function taxScheme({ vat_number }: Party) {
  const number = clean(vat_number);
  return number && { 'cbc:CompanyID': number, 'cac:TaxScheme': VAT };
}

/** The house number belongs to the line of the street: EN 16931 has no place of its own for the number. */
function address(party: Address, countries: ReadonlyMap<number, string>) {
  const [street] = addressLines({ ...party, postcode: null, city: null }, undefined, 'nl');
  return {
    'cbc:StreetName': clean(street),
    'cbc:CityName': clean(party.city),
    'cbc:PostalZone': clean(party.postcode),
    'cac:Country': { 'cbc:IdentificationCode': countries.get(party.country_id) },
  };
}

/** Undefined if the element would be empty: Peppol refuses empty elements. */
const whenFilled = <E extends Record<string, string | undefined>>(element: E): E | undefined =>
  Object.values(element).some((value) => value !== undefined) ? element : undefined;
