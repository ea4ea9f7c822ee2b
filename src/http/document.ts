// GET /document/info: what is stored of a document, and a signed address of its bytes.
import { access } from 'node:fs/promises';
import { problem } from '../errors.ts';
import { signLink } from '../jobs/link.ts';
import { findRecord } from '../model/find.ts';
import { resourceNamed } from '../model/registry.ts';
import { type Answer, success } from './answer.ts';
import { requireParameters } from './dispatch.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { primaryId } from './records.ts';

export const documentEndpoints: Endpoint[] = [
  { path: '/document/info', methods: { GET: { parameters: ['id'], handle: readInfo } } },
];

async function readInfo(call: Call): Promise<Answer> {
  const { parts, identity } = call;
  requireParameters(call.parameters, ['id']);
  const id = primaryId(call, 'primary_id_malformed');
  const document = await findRecord(parts.database, resourceNamed('document'), identity.owner, id);
  if (!document) throw problem('record_unknown', { field: 'id', value: id });
  const { sha256, file_name, mime_type, size } = document;
  if (sha256 == null) throw problem('document_missing');
  await access(parts.storage.documentPath(String(sha256))).catch(() => {
    throw problem('document_missing');
  });
  const link = signLink(parts.signingSecret, parts.publicUrl, String(sha256), {
    name: String(file_name),
    type: String(mime_type),
  });
  return success({ id, file_name, mime_type, size, sha256, ...link });
}
