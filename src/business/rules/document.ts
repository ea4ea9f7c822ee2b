// Stores the content of a document. The file is written after the record, so that a refused request leaves no file.
import { type Change, rulesOf } from '../../core/model/records/record.ts';
import { bytesOf, Document, digestOf } from '../../core/resources/document.ts';
import { keepFiles, noteUnused } from '../../platform/storage/unused-file.ts';

rulesOf(Document, {
  before: describeContent,
  after: storeContent,
  afterDelete: releaseContent,
});

function describeContent({ next, previous, given }: Change<object>): void {
  const content = given('content');
  if (previous || typeof content !== 'string') return;
  const bytes = bytesOf(content);
  Object.assign(next, { sha256: digestOf(bytes), size: bytes.length });
}

async function storeContent({ previous, given, garage }: Change<object>): Promise<void> {
  const content = given('content');
  if (previous || typeof content !== 'string') return;
  await keepFiles(garage);
  await garage.files.put(bytesOf(content));
}

async function releaseContent({ next, garage }: Change<{ sha256: string | null }>): Promise<void> {
  if (next.sha256 !== null) await noteUnused(garage, next.sha256);
}
