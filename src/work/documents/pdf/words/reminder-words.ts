// The words of a reminder. The letter to a person says what article 6:96 of the Dutch civil code asks for: fourteen
// days from the day after its delivery, and the exact costs that follow.
import type { Language } from './words.ts';

const NL = {
  title: 'Betalingsherinnering',
  date: 'Datum',
  customer: 'Klantnummer',
  invoice: 'Factuur',
  invoiceDate: 'Factuurdatum',
  due: 'Vervaldatum',
  total: 'Bedrag',
  open: 'Nog te betalen',
  sum: 'Totaal te betalen',
  greeting: 'Geachte heer of mevrouw,',
  opening: (one: boolean): string =>
    one
      ? 'Volgens onze administratie hebt u de onderstaande factuur nog niet of niet geheel betaald. De betaaltermijn is verstreken.'
      : 'Volgens onze administratie hebt u de onderstaande facturen nog niet of niet geheel betaald. De betaaltermijn is verstreken.',
  payWithin: (amount: string) =>
    `Wij verzoeken u het bedrag van ${amount} alsnog te betalen binnen veertien dagen, te rekenen vanaf de dag nadat deze brief bij u is bezorgd`,
  paySoon: (amount: string) => `Wij verzoeken u het bedrag van ${amount} zo spoedig mogelijk te betalen`,
  to: (account: string, name: string) => `, op ${account} ten name van ${name}`,
  stating: (numbers: string) => `, onder vermelding van ${numbers}.`,
  costs: (amount: string) =>
    `Betaalt u niet binnen deze termijn, dan bent u daarnaast een vergoeding voor buitengerechtelijke incassokosten verschuldigd (artikel 6:96 van het Burgerlijk Wetboek). Volgens het Besluit vergoeding voor buitengerechtelijke incassokosten is dat ${amount}. Wij brengen daarover geen btw in rekening.`,
  crossed: (contact: string) =>
    `Hebt u het bedrag inmiddels betaald, dan kunt u deze brief als niet verzonden beschouwen. Bent u het niet met ons eens of kunt u niet in één keer betalen, neem dan contact met ons op${contact}.`,
  by: ' via ',
  or: ' of ',
  closing: 'Met vriendelijke groet,',
};

type ReminderWords = typeof NL;

const EN: ReminderWords = {
  title: 'Payment reminder',
  date: 'Date',
  customer: 'Customer number',
  invoice: 'Invoice',
  invoiceDate: 'Invoice date',
  due: 'Due date',
  total: 'Amount',
  open: 'To be paid',
  sum: 'Total to be paid',
  greeting: 'Dear Sir or Madam,',
  opening: (one: boolean): string =>
    one
      ? 'According to our records you have not paid the invoice below, or not in full. Its term of payment is over.'
      : 'According to our records you have not paid the invoices below, or not in full. Their term of payment is over.',
  payWithin: (amount: string) =>
    `We ask you to pay ${amount} within fourteen days, counted from the day after this letter was delivered to you`,
  paySoon: (amount: string) => `We ask you to pay ${amount} as soon as possible`,
  to: (account: string, name: string) => `, to ${account} in the name of ${name}`,
  stating: (numbers: string) => `, stating ${numbers}.`,
  costs: (amount: string) =>
    `If you do not pay within this term, you also owe us compensation for extrajudicial collection costs (article 6:96 of the Dutch Civil Code). By the scale of the Decree on compensation for extrajudicial collection costs this is ${amount}. We charge no VAT on it.`,
  crossed: (contact: string) =>
    `If you have paid in the meantime, please disregard this letter. If you disagree or can't pay the whole amount at once, please contact us${contact}.`,
  by: ' at ',
  or: ' or ',
  closing: 'Kind regards,',
};

export const REMINDER_WORDS: Readonly<Record<Language, ReminderWords>> = { nl: NL, en: EN };
