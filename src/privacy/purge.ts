// Empties invoices of anonymised contacts when the law no longer keeps them. Each invoice is a transaction of its own.
import type { Row } from '../model/field.ts';
import { instantText } from '../model/fragment.ts';
import { modelNamed } from '../model/registry.ts';
import type { Database, Session } from '../model/session.ts';
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
    ...(await dueBy(database, 'order', 'invoice_date')),
    ...(await dueBy(database, 'document', 'created_at')),
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
async function dueBy({ knex }: Session, name: 'order' | 'document', column: string): Promise<Due[]> {
  const lastPossible = databaseTime(new Date(Date.UTC(new Date().getUTCFullYear() - YEARS, 0, 2)));
  const rows = await KeptInvoice.query(knex)
    .alias('k')
    .select('k.*', 'r.id', instantText('r', column))
    .join(`${modelNamed(name).tableName} as r`, 'r.id', `k.${name}_id`)
    .where(`r.${column}`, '<', lastPossible);
  return rows.map((row) => ({ ...row, instant: String((row as unknown as Row)[column]) })) as Due[];
}

async function empty(session: Session, { owner_id, contact_id, order_id, document_id }: Due): Promise<void> {
  if (order_id === 0) await deleteDocuments(session, owner_id, [{ id: document_id }]);
  else await emptyInvoice(session, owner_id, order_id, contact_id);
  await KeptInvoice.query(session.knex).deleteById([owner_id, contact_id, order_id, document_id]);
}
