// A file of an order, vehicle or contact. Its bytes are stored once by their SHA-256; the record keeps name,
// type, size and digest, and gets its content once.
import { createHash } from 'node:crypto';
import {
  bytea,
  choice,
  int4,
  type Row,
  reference,
  type Stored,
  text,
  varchar,
} from '../model/fields/field.ts';
import { record } from '../model/records/record.ts';

const LARGEST_BYTES = 10 * 1024 * 1024;

export class Document extends record(
  'document',
  {
    document_kind: choice('documentkinds', { required: true, indexed: true }),
    name: varchar(150, { required: true, indexed: true, personal: true }),
    file_name: varchar(200, { required: true, personal: true }),
    mime_type: varchar(100, { required: true, personal: false }),
    content: bytea(LARGEST_BYTES, {
      writeOnly: true,
      personal: true,
      fixed: true,
      same: isContent,
      description: 'The file in base64',
    }),
    size: int4({ readonly: true, description: 'Bytes' }),
    sha256: varchar(64, { indexed: true, readonly: true, description: 'SHA-256 of the file, hexadecimal' }),
    order_id: reference('order'),
    vehicle_id: reference('vehicle'),
    contact_id: reference('contact'),
    notes: text({ personal: true }),
  },
  {
    description: 'A stored file',
    about: {
      contact: 'contact_id',
      through: ['order_id', 'vehicle_id'],
      // A letter to the payer names the order of the driver.
      contactDecides: true,
      anonymised: 'deleted',
      title: { nl: 'Documenten', en: 'Documents' },
    },
    personalKey: true,
    hasFiles: true,
  },
) {}

export const bytesOf = (content: Stored) => Buffer.from(String(content), 'base64');
export const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function isContent(content: Stored, { sha256 }: Row): boolean {
  return content === null ? sha256 === null : digestOf(bytesOf(content)) === sha256;
}
