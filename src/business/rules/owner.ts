// The logo of a garage must be a picture. It is decoded once, before the transaction, and kept in the size of print.
import { violation } from '../../core/errors.ts';
import type { Body } from '../../core/model/bodies/check.ts';
import { LOGO, TIMEZONE } from '../../core/model/fields/validation.ts';
import { type Change, rulesOf } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { Owner, type OwnerRow } from '../../core/resources/owner.ts';
import { isOver } from '../../core/trade/closed-period.ts';
import { STATEMENT_PREFIX } from '../../core/trade/invoice-number.ts';
import { digestOfLogo, type PrintedLogo, printLogo } from '../../core/trade/picture/logo.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';
import { CLOSED, closeBooks } from '../invoicing/closed-period.ts';
import {
  keepSettings,
  keepsClosedEntries,
  keepsClosedMargins,
  needsMarginFrom,
} from '../invoicing/regime/owner-settings.ts';
import { noFirstDay } from '../invoicing/regime/regime.ts';
import { Turns } from './turns.ts';

type Changed = Change<OwnerRow>;

const decoding = new Turns();

const notOver = (value: unknown) =>
  violation('value_invalid', { field: 'books_closed_until', value, validation: 'not after yesterday' });
const TIMEZONE_FIXED = violation('field_fixed', { field: 'timezone' });

rulesOf(Owner, {
  prepare: decodeLogo,
  rules: [
    ...[logoIsPicture, leavesPurchases, needsMarginFrom, closesPastDays, keepsTimezone],
    ...[keepsClosedMargins, keepsClosedEntries],
  ],
  before: prepareRow,
  // The fields themselves name one validation only, that of the last field.
  refuses: {
    change: [
      violation('too_many_waiting'),
      violation('value_invalid', { field: 'timezone', value: 'x', validation: TIMEZONE.name }),
      noFirstDay('margin_from', '2026-02-02'),
      violation('field_required', { field: 'margin_from' }),
      notOver('2030-01-01T00:00:00.000Z'),
      TIMEZONE_FIXED,
      CLOSED,
    ],
  },
});

/** The logo in the size of print. Undefined: the body has no logo, or the logo is no picture. */
async function decodeLogo(garage: Garage, body: Body): Promise<PrintedLogo | undefined> {
  const { stored } = Owner.resource.fields.get('logo')?.check('logo', body.logo, {}) ?? {};
  if (typeof stored !== 'string') return undefined;
  const printed_logo_of = digestOfLogo(stored);
  // A client that changes another field may send the logo as it read it.
  const known = await Owner.of(garage).select('printed_logo').findOne({ printed_logo_of });
  if (known?.printed_logo) return { printed_logo: known.printed_logo, printed_logo_of };
  const printed = await decoding.take(garage.owner, () => printLogo(Buffer.from(stored, 'base64')));
  return printed && { printed_logo: printed.toString('base64'), printed_logo_of };
}

function logoIsPicture({ given, prepared }: Changed) {
  const logo = given('logo');
  if (typeof logo !== 'string' || prepared) return undefined;
  return violation('value_invalid', { field: 'logo', value: logo, validation: LOGO.name });
}

/** Sales and purchases would have the same numbers. */
function leavesPurchases({ next, given }: Changed) {
  if (given('invoice_prefix') === undefined || next.invoice_prefix !== STATEMENT_PREFIX) return undefined;
  const refused = { field: 'invoice_prefix', value: STATEMENT_PREFIX, validation: 'prefix of purchases' };
  return violation('value_invalid', refused);
}

async function prepareRow(change: Changed): Promise<void> {
  const { next, previous, garage } = change;
  keepPrinted(change);
  await keepSettings(change);
  if (next.books_closed_until !== previous?.books_closed_until) await closeBooks(garage, next);
}

/** A day that is not over may get more invoices. */
function closesPastDays({ next, previous, given }: Changed) {
  const until = next.books_closed_until;
  if (until === null || until === previous?.books_closed_until) return undefined;
  return isOver(until, databaseNow(), next.timezone) ? undefined : notOver(given('books_closed_until'));
}

/** The closed days would be others. */
function keepsTimezone({ next, previous }: Changed) {
  const isClosed = previous?.books_closed_until != null && next.books_closed_until !== null;
  return isClosed && next.timezone !== previous.timezone ? TIMEZONE_FIXED : undefined;
}

function keepPrinted({ next, given, prepared }: Changed): void {
  if (given('logo') === undefined) return;
  const none: PrintedLogo = { printed_logo: null, printed_logo_of: null };
  Object.assign(next, prepared ?? none);
}
