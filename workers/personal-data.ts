// The job "personal-data": writes everything about a contact under the name that the engine gives. The engine may end the
// thread at any moment. Then the engine removes what was written.
import { writePersonalData } from '../src/documents/generation/person-archive.ts';
import { type JobResult, type JobTask, runJob } from './job.ts';

export interface PersonalDataTask extends JobTask {
  readonly owner: number;
  /** ID of the contact. */
  readonly contact: number;
}

export default (task: PersonalDataTask): Promise<JobResult> =>
  runJob(task, ({ database, storage: { documents }, save, onProgress }) => {
    const { owner, contact } = task;
    return writePersonalData(database, save, { owner, contact, documents, onProgress });
  });
