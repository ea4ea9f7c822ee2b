// Makes the letter of a reminder. One transaction records the letter and counts it on each order, so a job that runs
// again after a crash finds the letter and counts nothing twice.
import { buffer } from 'node:stream/consumers';
import { readParties } from '../../../business/invoicing/invoice/invoice-parties.ts';
import { Problem } from '../../../core/errors.ts';
import { lockRecords } from '../../../core/model/lists/find.ts';
import { type Garage, garageOf } from '../../../core/model/statements/garage.ts';
import type { Database, Session } from '../../../core/model/statements/session.ts';
import { changeRow, insertRow } from '../../../core/model/writes/write.ts';
import { Country } from '../../../core/resources/country.ts';
import { Document } from '../../../core/resources/document.ts';
import { Order } from '../../../core/resources/order.ts';
import { collectionCosts } from '../../../core/trade/collection-costs.ts';
import { nameOf } from '../../../core/trade/identity/printed-name.ts';
import { typeRow } from '../../../core/trade/kinds/document-type.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { databaseNow } from '../../../core/trade/time/timestamp.ts';
import { cents, euros } from '../../../core/trade/totals.ts';
import { failure } from '../../../platform/job-failure.ts';
import type { Store } from '../../../platform/storage/store.ts';
import { forgetUnused, keepFiles, putUntilRecorded } from '../../../platform/storage/unused-file.ts';
import { type Save, textEntry, writeArchive } from '../../../platform/zip/write.ts';
import { renewLease } from '../../jobs/attempt.ts';
import { nameReminder, type ReminderData, renderReminder } from '../pdf/reminder.ts';
import type { Generated } from './generate.ts';
import { readHouseStyle } from './house-style.ts';
import { INDEX, indexCsv } from './index-csv.ts';
import type { Attempt } from './record.ts';
import { type OrderInDefault, readOrdersInDefault } from './reminder-request.ts';

const { PERSON } = LISTS.contactkinds;

interface Reminder extends Attempt {
  /** Order IDs without duplicates. */
  readonly orders: readonly number[];
  /** The stored files. `database.files` must write to the same store. */
  readonly documents: Store;
}

/** The letter of an earlier attempt, or a new one. */
interface Letter extends Pick<Document, 'id' | 'file_name' | 'contact_id'> {
  readonly sha256: string;
  readonly size: number;
  readonly bytes: Buffer;
}

/** Rejects with a JobFailure if an invoice was paid, or changed otherwise, since the request. */
export const generateReminder = (database: Database, save: Save, reminder: Reminder): Promise<Generated> =>
  // A second connection keeps the file until it is recorded.
  database.transaction(async (session) => {
    await keepFiles(session);
    const letter = (await readLetter(database, reminder)) ?? (await makeLetter(database, reminder));
    const { file_name: path, sha256, bytes } = letter;
    const content = async function* () {
      yield bytes;
    };
    const index = textEntry(INDEX, await indexOf(database, reminder, letter));
    return writeArchive(save, entriesOf([{ path, sha256, content }, index]));
  });

async function* entriesOf<T>(entries: readonly T[]): AsyncGenerator<T> {
  yield* entries;
}

const externalIdOf = ({ job }: Reminder) => `reminder:${job}`;

async function readLetter(database: Database, reminder: Reminder): Promise<Letter | undefined> {
  const found = await Document.of(garageOf(database, reminder.owner))
    .select('id', 'file_name', 'contact_id', 'size', 'sha256')
    .findOne({ external_id: externalIdOf(reminder) });
  if (!found?.sha256) return undefined;
  const stored = await reminder.documents.read(found.sha256);
  if (!stored) throw failure('document_missing', { sha256: found.sha256 });
  const { id, file_name, contact_id, sha256 } = found;
  return { id, file_name, contact_id, sha256, size: Number(found.size), bytes: await buffer(stored) };
}

async function makeLetter(database: Database, reminder: Reminder): Promise<Letter> {
  const { owner } = reminder;
  const style = await readHouseStyle(database, owner);
  const { data, orders } = await database.snapshot((session) => readReminder(session, reminder));
  const letter = { ...data, style };
  const bytes = await renderReminder(letter);
  const file = await putUntilRecorded(database, bytes);
  const { title, fileName: file_name } = nameReminder(letter);
  const contact_id = data.buyer.id;
  const id = await database.transaction(async (session) => {
    if (!(await renewLease(session, { id: reminder.job, fence: reminder.fence }))) throw failure('job_lost');
    await countReminder(garageOf(session, owner), orders, data.date);
    await forgetUnused(session, [file.sha256]);
    return insertRow(garageOf(session, owner), Document.resource, {
      document_kind: typeRow(LISTS.documenttypes.REMINDER).kind,
      name: title,
      file_name,
      mime_type: 'application/pdf',
      ...file,
      order_id: orders[0]?.id ?? null,
      contact_id,
      external_id: externalIdOf(reminder),
    });
  });
  return { id, file_name, contact_id, ...file, bytes };
}

async function readReminder(
  session: Session,
  { owner, orders: ids }: Reminder,
): Promise<{ data: Omit<ReminderData, 'style'>; orders: OrderInDefault[] }> {
  const garage = garageOf(session, owner);
  const orders = await readOrdersInDefault(garage, ids).catch((error) => {
    if (!(error instanceof Problem)) throw error;
    const [found] = error.violations;
    // The value of a violation about the payer is a name.
    const order = Number(found?.resource === 'contact' ? ids[0] : found?.value);
    throw failure('reminder_unfit', { order });
  });
  // A letter goes to the address of today, not to the address on the invoice.
  const { seller, buyer } = await readParties(garage, {
    contact_id: orders[0]?.payer ?? 0,
    invoice_contact_id: null,
  });
  const debt = orders.reduce((sum, { amount_open }) => sum + cents(amount_open), 0n);
  const countries = await Country.of(garage).whereIn('id', [seller.country_id, buyer.country_id]);
  const isPerson = buyer.contact_kind === PERSON;
  return {
    orders,
    data: {
      seller,
      buyer,
      countries: new Map(countries.map(({ id, code }) => [id, code])),
      date: databaseNow(),
      invoices: orders,
      sum: euros(debt),
      costs: isPerson ? euros(collectionCosts(debt)) : undefined,
    },
  };
}

/** Notes the reminder on each order. Throws a JobFailure if one was paid after it was read. */
async function countReminder(
  garage: Garage,
  printed: readonly OrderInDefault[],
  date: string,
): Promise<void> {
  const openOf = new Map(printed.map(({ id, amount_open }) => [id, amount_open]));
  const rows = await lockRecords(garage, Order.resource, 'id', [...openOf.keys()]);
  for (const [order, open] of openOf) {
    const previous = rows.find(({ id }) => id === order);
    if (previous?.amount_open !== open) throw failure('reminder_unfit', { order });
    const next = { ...previous, reminded_at: date, reminder_count: (previous.reminder_count ?? 0) + 1 };
    await changeRow(garage, Order.resource, { previous, next });
  }
}

/** One row for each order: all of them are in one letter. */
async function indexOf(session: Session, { owner, orders }: Reminder, letter: Letter): Promise<string> {
  const rows = await Order.of(garageOf(session, owner))
    .select('id', 'order_number', 'invoice_number', 'contact_id', 'invoice_contact_id')
    .whereIn('id', [...orders])
    .orderBy('id');
  const { buyer } = await readParties(garageOf(session, owner), {
    contact_id: Number(letter.contact_id),
    invoice_contact_id: null,
  });
  return indexCsv(
    rows.map(({ id, order_number, invoice_number }) => ({
      order_id: id,
      order_number,
      invoice_number,
      document_id: letter.id,
      file: letter.file_name,
      size: letter.size,
      sha256: letter.sha256,
      contact_id: letter.contact_id,
      contact: nameOf(buyer),
      license_plate: null,
    })),
  );
}
