// GET /document/info: the stored data of a document, and a signed address of its bytes.

import { problem, violation } from '../../core/errors.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { Document } from '../../core/resources/document.ts';
import { signLink } from '../../work/jobs/link.ts';
import { type Answer, success } from '../answer.ts';
import { type Address, type Call, type Endpoint, get } from '../endpoint.ts';
import { requireParameters } from '../middleware/query-parameters.ts';
import { address, instant, integer, RECORD_ID, text } from '../openapi/operation.ts';
import { object } from '../openapi/schema.ts';
import { readPrimaryId, requireId } from '../primary-id.ts';

export const documentEndpoints: Endpoint[] = [
  get('/document/info', {
    needs: 'READONLY',
    parameters: ['id'],
    readId: idOfInfo,
    handle: readInfo,
    doc: {
      operationId: 'readDocumentInfo',
      summary: 'Facts about a stored file, and a signed address of its bytes',
      description: 'The address works for 24 hours, and no longer than the document exists.',
      parameters: { id: { ...RECORD_ID, required: true } },
      data: object({
        id: integer,
        file_name: text,
        mime_type: text,
        size: integer,
        sha256: text,
        url: address,
        expires_at: instant,
      }),
      errors: [
        violation('parameters_required', { fields: ['id'] }),
        violation('primary_id_malformed'),
        violation('document_missing'),
        violation('record_unknown', { field: 'id', value: 5 }),
      ],
    },
  }),
];

function idOfInfo(address: Address): number {
  requireParameters(address.parameters, ['id']);
  return readPrimaryId(address, 'primary_id_malformed');
}

async function readInfo(call: Call): Promise<Answer> {
  const { services, identity } = call;
  const id = requireId(call);
  const document = await findRecord(garageOf(services.database, identity.owner), Document.resource, id);
  if (!document) throw problem('record_unknown', { field: 'id', value: id });
  const { sha256, file_name, mime_type, size } = document;
  const isStored = sha256 !== null && (await services.storage.documents.find(sha256));
  if (!isStored) throw problem('document_missing');
  // Another document may have the same bytes, and each link ends with its own document.
  const link = signLink(services.signingSecret, services.publicUrl, sha256, { document: String(id) });
  return success({ id, file_name, mime_type, size, sha256, ...link });
}
