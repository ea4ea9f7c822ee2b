// The name of a contact, as documents and e-invoices have it.

interface Person {
  readonly first_name: string | null;
  readonly prefix: string | null;
  readonly last_name: string | null;
}

export interface Named extends Person {
  readonly company_name: string | null;
  readonly print_name: string | null;
}

/** The name that stands in for the others. */
export const printNameOf = ({ print_name }: Pick<Named, 'print_name'>): string => print_name?.trim() ?? '';

/** The name for print, else the name of the company, else of the person. */
export const nameOf = (contact: Named): string =>
  printNameOf(contact) || companyOf(contact) || personOf(contact);

/** First name, prefix and last name. Missing parts are left out. */
export const personOf = ({ first_name, prefix, last_name }: Person): string =>
  [first_name, prefix, last_name].filter(Boolean).join(' ');

/** The person who gets the letter of a company; empty if there is none. A name for print stands in for this one too. */
export const attentionOf = (contact: Named): string =>
  companyOf(contact) && printNameOf(contact) === '' ? personOf(contact) : '';

const companyOf = ({ company_name }: Named): string => (company_name?.trim() ? company_name : '');
