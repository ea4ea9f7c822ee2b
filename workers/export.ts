// The job "export": writes the rows of a list under the name that the engine gives. The engine asks the thread to stop
// before it ends it, because a statement that sorts goes on at the server when its connection has ended.
import { openList } from '../src/export/list-source.ts';
import { type FileForm, type ListAsked, readListAsked } from '../src/export/request.ts';
import { writeExport } from '../src/export/write.ts';
import { foldedIn } from '../src/model/lists/list-query.ts';
import { foldNewest } from '../src/model/writes/unfolded.ts';
import { defineJob } from './job.ts';

declare module '../src/jobs/kind.ts' {
  interface Kinds {
    export: ListAsked & FileForm;
  }
}

export default defineJob<'export'>(
  async (task, { database, save, onProgress, signal }) => {
    const { owner, connection, resource, filter, fields, sort, format, raw } = task;
    const asked = { resource, filter, fields, sort };
    const query = readListAsked(owner, asked);
    await foldNewest(database, owner, foldedIn(query));
    const source = await openList(query, { database, connection, owner, signal });
    try {
      const options = { format, raw, asked: { ...asked, format, raw }, signal, onProgress };
      return await writeExport(save, source, options);
    } finally {
      source.close();
    }
  },
  { stops: true },
);
