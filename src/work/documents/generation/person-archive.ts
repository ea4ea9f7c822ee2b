// Writes everything about a contact to a zip: personal-data.json, personal-data.pdf and the stored files. It holds the
// records of one person in memory.

import type { Row } from '../../../core/model/fields/field.ts';
import { serializer } from '../../../core/model/records/serialize.ts';
import type { Database } from '../../../core/model/statements/session.ts';
import { Contact } from '../../../core/resources/contact.ts';
import { Document } from '../../../core/resources/document.ts';
import { formatTimestamp } from '../../../core/trade/time/timestamp.ts';
import { failure } from '../../../platform/job-failure.ts';
import type { Store } from '../../../platform/storage/store.ts';
import { keepFiles } from '../../../platform/storage/unused-file.ts';
import { type ArchiveEntry, type Save, textEntry, writeArchive } from '../../../platform/zip/write.ts';
import { type PersonData, renderPersonalData } from '../pdf/person-report.ts';
import { columnsOf, readPerson } from './person-source.ts';

interface PersonalDataOptions {
  readonly owner: number;
  /** ID of the contact. */
  readonly contact: number;
  /** The stored files. */
  readonly documents: Store;
  readonly onProgress?: (percent: number) => void;
}

/** Writes the zip by `save`. Rejects like writeArchive, and with a JobFailure if the contact no longer exists. */
export const writePersonalData = (
  database: Database,
  save: Save,
  options: PersonalDataOptions,
): Promise<{ size: number; sha256: string }> =>
  // A second connection keeps the files until they are in the zip.
  database.transaction(async (session) => {
    await keepFiles(session);
    const { owner, contact, documents, onProgress = () => {} } = options;
    const source = await readPerson(database, owner, contact);
    if (!source) throw failure('contact_unknown', { contact });
    const { size, sha256 } = await writeArchive(save, entriesOf(source, documents, onProgress));
    onProgress(100);
    return { size, sha256 };
  });

async function* entriesOf(
  source: PersonData,
  files: Store,
  onProgress: (percent: number) => void,
): AsyncGenerator<ArchiveEntry> {
  yield textEntry('personal-data.json', jsonOf(source));
  onProgress(20);
  const pdf = await renderPersonalData(source);
  yield {
    path: 'personal-data.pdf',
    content: async function* () {
      yield pdf;
    },
  };
  onProgress(50);
  for (const document of filesOf(source)) yield fileEntry(document, files);
}

const filesOf = ({ sections }: PersonData): Row[] =>
  sections.flatMap(({ resource, rows }) =>
    resource === Document.resource ? rows.filter(({ sha256 }) => sha256 !== null) : [],
  );

/** `documents/12-photo.jpg`: the name may hold anything, so only harmless characters stay. */
const fileName = ({ id, file_name }: Row): string =>
  `documents/${id}-${String(file_name)
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(-100)}`;

function fileEntry(document: Row, files: Store): ArchiveEntry {
  const sha256 = String(document.sha256);
  return {
    path: fileName(document),
    sha256,
    content: async function* () {
      const content = await files.read(sha256);
      if (!content) throw failure('document_missing', { sha256 });
      yield* content;
    },
  };
}

/** `{"taken_at", "owner", "contact": {…}, "<resource>": […], "changes": […]}`, each record as the API shows it. */
function jsonOf({ owner, takenAt, sections, changes }: PersonData): string {
  const parts = sections.map(({ resource, rows }) => {
    const shown = rows.map(serializer(resource, columnsOf(resource)));
    const json = resource === Contact.resource ? shown[0] : `[\n${shown.join(',\n')}\n]`;
    return `${JSON.stringify(resource.name)}:${json}`;
  });
  const logged = changes.map((change) => ({ ...change, at: formatTimestamp(change.at) }));
  const head = {
    taken_at: formatTimestamp(takenAt),
    owner: { id: owner.id, name: owner.name },
  };
  const all = [
    JSON.stringify(head).slice(1, -1),
    ...parts,
    `"changes":[\n${logged.map((one) => JSON.stringify(one)).join(',\n')}\n]`,
  ];
  return `{${all.join(',\n')}}\n`;
}
