// Finds the document that a signed address names.
import type { RowIn } from '../../core/model/records/record.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { Document } from '../../core/resources/document.ts';

type Named = Pick<RowIn<typeof Document>, 'file_name' | 'mime_type' | 'created_at'>;

/** Finds a document of any owner: the address is signed, so its holder needs no user. */
export const findDocument = (session: Session, id: number, sha256: string): Promise<Named | undefined> =>
  Document.ofAllOwners('files', session)
    .select('file_name', 'mime_type', 'created_at')
    .findOne({ id, sha256 })
    .execute();
