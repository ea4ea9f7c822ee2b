// Stores the content of a document. The file is written after the record, so that most refused requests write no file.
// If the request fails later, the note that it made before its transaction lets the file go.
import { type Change, rulesOf } from '../../core/model/records/record.ts';
import type { Actor, Database } from '../../core/model/statements/session.ts';
import { bytesOf, Document, digestOf } from '../../core/resources/document.ts';
import { forgetUnused, keepFiles, noteUnused, whileStoring } from '../../platform/storage/unused-file.ts';

rulesOf(Document, {
  aroundAdding: noteContents,
  before: describeContent,
  after: storeContent,
  afterDelete: releaseContent,
});

interface Content {
  readonly sha256: string | null;
}

function describeContent({ next, previous, given }: Change<object>): void {
  const content = given('content');
  if (previous || typeof content !== 'string') return;
  const bytes = bytesOf(content);
  Object.assign(next, { sha256: digestOf(bytes), size: bytes.length });
}

async function noteContents<Result>(
  database: Database,
  actor: Actor,
  bodies: readonly { readonly content?: unknown }[],
  work: () => Promise<Result>,
): Promise<Result> {
  const digests = bodies.flatMap(({ content }) =>
    typeof content === 'string' ? digestOf(bytesOf(content)) : [],
  );
  return digests.length === 0 ? work() : whileStoring(database, digests, actor, work);
}

async function storeContent({ next, previous, given, garage }: Change<Content>): Promise<void> {
  const content = given('content');
  if (previous || typeof content !== 'string') return;
  await keepFiles(garage);
  await garage.files.put(bytesOf(content));
  await forgetUnused(garage, [String(next.sha256)]);
}

async function releaseContent({ next, garage }: Change<Content>): Promise<void> {
  if (next.sha256 !== null) await noteUnused(garage, next.sha256);
}
