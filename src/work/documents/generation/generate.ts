// Makes one document per order, stores each file, and writes all files and an index to a zip. Memory holds one order at
// a time. One transaction at the end records all documents.

import type { Database } from '../../../core/model/statements/session.ts';
import { failure } from '../../../platform/job-failure.ts';
import { keepFiles, putUntilRecorded } from '../../../platform/storage/unused-file.ts';
import { type ArchiveEntry, type Save, textEntry, writeArchive } from '../../../platform/zip/write.ts';
import type { DocumentData } from '../pdf/data.ts';
import { nameFile, renderFile } from './file.ts';
import { readHouseStyle } from './house-style.ts';
import { INDEX, type IndexRow, indexCsv } from './index-csv.ts';
import { readSource, type Wanted } from './order-source.ts';
import { type Attempt, recordDocuments, type StoredDocument } from './record.ts';
import { contactOf } from './side.ts';

interface Generation extends Attempt, Omit<Wanted, 'style'> {
  /** Order IDs without duplicates. */
  readonly orders: readonly number[];
  /** Gets whole percents, rising to 100. */
  readonly onProgress?: (percent: number) => void;
}

export interface Generated {
  /** Size in bytes and SHA-256 of the zip. */
  readonly size: number;
  readonly sha256: string;
}

/**
 * Writes the zip by `save`. Rejects like writeArchive, and with a JobFailure if an order or the job no longer exists.
 */
export const generateDocuments = (
  database: Database,
  save: Save,
  generation: Generation,
): Promise<Generated> =>
  // A second connection keeps the files until their documents are recorded.
  database.transaction(async (session) => {
    await keepFiles(session);
    return generate(database, save, generation);
  });

async function generate(database: Database, save: Save, generation: Generation): Promise<Generated> {
  const { orders, onProgress = () => {} } = generation;
  const wanted = { ...generation, style: await readHouseStyle(database, generation.owner) };
  const made: StoredDocument[] = [];
  const rows = new Map<number, Omit<IndexRow, 'document_id'>>();
  const taken = new Set([INDEX]);

  async function* entries(): AsyncGenerator<ArchiveEntry> {
    for (const order of orders) {
      const { data, stored, bytes } = await make(database, wanted, order);
      const file = freeName(stored.file_name, order, taken);
      made.push(stored);
      rows.set(order, indexRow(data, stored, file));
      yield { path: file, sha256: stored.sha256, content: once(bytes) };
      onProgress(Math.floor((99 * rows.size) / orders.length));
    }
    const ids = await recordDocuments(database, generation, made);
    const finished = [...rows].map(([order, row]) => ({ ...row, document_id: ids.get(order) ?? null }));
    yield textEntry(INDEX, indexCsv(finished));
  }
  const { size, sha256 } = await writeArchive(save, entries());
  onProgress(100);
  return { size, sha256 };
}

async function make(
  database: Database,
  wanted: Generation & Wanted,
  order: number,
): Promise<{ data: DocumentData; stored: StoredDocument; bytes: Buffer }> {
  const source = await readSource(database, wanted, order);
  if (!source) throw failure('order_unknown', { order });
  const bytes = await renderFile(wanted, source.data);
  const { sha256, size } = await putUntilRecorded(database, bytes);
  const { data, vehicle_id } = source;
  const belongs = { order_id: order, contact_id: contactOf(data).id, vehicle_id };
  return { data, stored: { ...belongs, ...nameFile(wanted, data), size, sha256 }, bytes };
}

/** Two numbers may make the same name, because a file name keeps only letters, digits and dashes. */
function freeName(name: string, order: number, taken: Set<string>): string {
  const free = taken.has(name) ? name.replace(/\.\w+$/, `-order-${order}$&`) : name;
  taken.add(free);
  return free;
}

const indexRow = (
  { order, vehicle, ...parties }: DocumentData,
  { size, sha256, contact_id }: StoredDocument,
  file: string,
): Omit<IndexRow, 'document_id'> => ({
  order_id: order.id,
  order_number: order.order_number,
  invoice_number: order.invoice_number,
  file,
  size,
  sha256,
  contact_id,
  contact: contactOf(parties).name,
  license_plate: vehicle?.license_plate ?? null,
});

const once = (bytes: Buffer) =>
  async function* content() {
    yield bytes;
  };
