// An invoice prints the names of the payer and of the customer; a reminder prints the payer's. The font of the
// documents must have their letters. A contact's name for print replaces its other names, and was judged when it was
// stored.
import { about, type Violation, violation } from '../../../core/errors.ts';
import { PRINTABLE } from '../../../core/model/fields/validation.ts';
import type { Contact } from '../../../core/resources/contact.ts';
import { isPrintable } from '../../../core/trade/identity/printable.ts';
import { printNameOf } from '../../../core/trade/identity/printed-name.ts';
import type { Parties } from './invoice-parties.ts';

export const NAMES = ['company_name', 'first_name', 'prefix', 'last_name'] as const;
type Named = Pick<Contact, 'id' | 'print_name' | (typeof NAMES)[number]>;

/** One violation for each name that a document can't print. */
export const unprintableNames = ({ buyer, customer }: Parties): Violation[] =>
  [...new Set([customer, buyer])].flatMap(unprintableNamesOf);

/** One violation for each such name of one contact. */
export function unprintableNamesOf(contact: Named): Violation[] {
  if (printNameOf(contact) !== '') return [];
  const found = NAMES.flatMap((field) => {
    const value = contact[field]?.trim() ?? '';
    if (value === '' || isPrintable(value)) return [];
    return violation('value_invalid', { field, value: contact[field], validation: PRINTABLE.name });
  });
  return about('contact', contact.id, found);
}
