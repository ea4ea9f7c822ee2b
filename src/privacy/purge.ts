// Empties invoices of anonymised contacts when the law no longer keeps them. Each invoice is a transaction of its own.
import { instantText } from '../model/fragment.ts';
import type { Database, Session } from '../model/session.ts';
import { Document } from '../resources/document.ts';
import { Order } from '../resources/order.ts';
import { databaseTime } from '../trade/timestamp.ts';
import { deleteDocuments, emptyInvoice } from './invoice.ts';
import { KeptInvoice, readRetention, YEARS } from './retention.ts';

interface Due extends KeptInvoice {
  /** Of the invoice, in the form of the database. */
  readonly instant: string;
}

/** Empties all invoices whose time has passed, and answers how many. */
export async function purgeKept(database: Database): Promise<number> {
  let emptied = 0;
  const due = [
    ...(await dueBy(database, Order.tableName, 'k.order_id', 'invoice_date')),
    ...(await dueBy(database, Document.tableName, 'k.document_id', 'created_at')),
  ];
  for (const invoice of due) {
    const { isOver } = await readRetention(database, invoice.owner_id);
    if (!isOver(invoice.instant)) continue;
    await database.transaction((session) => empty(session, invoice));
    emptied += 1;
  }
  return emptied;
}

/** The kept invoices that may be due: in no time zone has a later one passed its time. */
async function dueBy({ knex }: Session, table: string, reference: string, column: string): Promise<Due[]> {
  const lastPossible = databaseTime(new Date(Date.UTC(new Date().getUTCFullYear() - YEARS, 0, 2)));
  return KeptInvoice.query(knex)
    .alias('k')
    .select('k.*', instantText('r', column, 'instant'))
    .join(`${table} as r`, 'r.id', reference)
    .where(`r.${column}`, '<', lastPossible)
    .castTo<Due[]>();
}

async function empty(session: Session, { owner_id, contact_id, order_id, document_id }: Due): Promise<void> {
  if (order_id === 0) await deleteDocuments(session, owner_id, [{ id: document_id }]);
  else await emptyInvoice(session, owner_id, order_id, contact_id);
  await KeptInvoice.query(session.knex).deleteById([owner_id, contact_id, order_id, document_id]);
}
