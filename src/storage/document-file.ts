// Finds the document that a signed address names.
import type { RowIn } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { Document } from '../resources/document.ts';

type Named = Pick<RowIn<typeof Document>, 'file_name' | 'mime_type'>;

/** Of any owner: the address is signed, and whoever has it may be nobody's user. */
export const findDocument = (session: Session, id: number, sha256: string): Promise<Named | undefined> =>
  Document.ofAllOwners(session).select('file_name', 'mime_type').findOne({ id, sha256 }).execute();
