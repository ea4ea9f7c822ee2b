// The job "personal-data": writes everything about a contact under the name that the engine gives. The engine may end
// the thread at any moment. Then the engine removes what was written.
import { writePersonalData } from '../src/work/documents/generation/person-archive.ts';
import { defineJob } from './job.ts';

declare module '../src/work/jobs/kind.ts' {
  interface Kinds {
    /** `contact`: its ID. */
    'personal-data': { readonly contact: number };
  }
}

export default defineJob<'personal-data'>(
  ({ owner, contact }, { database, storage: { documents }, save, onProgress }) =>
    writePersonalData(database, save, { owner, contact, documents, onProgress }),
);
