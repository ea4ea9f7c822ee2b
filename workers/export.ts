// The job "export": writes the rows of a list under the name that the engine gives. The engine asks the thread to stop
// before it ends it, because a statement that sorts goes on at the server when its connection has ended.
import { openList } from '../src/export/list-source.ts';
import { type FileForm, type ListAsked, readListAsked } from '../src/export/request.ts';
import { writeExport } from '../src/export/write.ts';
import { type JobResult, type JobTask, runJob } from './job.ts';
import { stoppable } from './stop-signal.ts';

export interface ExportTask extends JobTask, ListAsked, FileForm {
  readonly owner: number;
}

export default (task: ExportTask): Promise<JobResult> =>
  stoppable(task.port, (signal) =>
    runJob(task, async ({ database, save, onProgress }) => {
      const { owner, connection, resource, filter, fields, sort, format, raw } = task;
      const asked = { resource, filter, fields, sort };
      const query = readListAsked(owner, asked);
      const source = await openList(query, { database, connection, owner, signal });
      try {
        const options = { format, raw, asked: { ...asked, format, raw }, signal, onProgress };
        return await writeExport(save, source, options);
      } finally {
        source.close();
      }
    }),
  );
