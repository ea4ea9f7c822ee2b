// An invoice prints the names of the payer and of the customer, so the documents' font must have their letters. A name for
// print stands in for the others, and was judged when it was stored.
import { about, type Violation, violation } from '../errors.ts';
import { PRINTABLE } from '../model/validation.ts';
import { isPrintable } from '../trade/printable.ts';
import { printNameOf } from '../trade/printed-name.ts';
import type { Parties } from './invoice-parties.ts';

const NAMES = ['company_name', 'first_name', 'prefix', 'last_name'] as const;

/** One violation for each name that a document can't print. */
export const unprintableNames = ({ buyer, customer }: Parties): Violation[] =>
  [...new Set([customer, buyer])].flatMap((contact) => about('contact', contact.id, namesOf(contact)));

function namesOf(contact: Parties['buyer']): Violation[] {
  if (printNameOf(contact) !== '') return [];
  return NAMES.flatMap((field) => {
    const value = contact[field]?.trim() ?? '';
    if (value === '' || isPrintable(value)) return [];
    return violation('value_invalid', { field, value: contact[field], validation: PRINTABLE.name });
  });
}
