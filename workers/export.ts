// The job "export": writes the rows of a list under the name that the engine gives. The engine asks the thread to stop
// before it ends it, because a statement that sorts goes on at the server when its connection has ended.

import { foldedIn } from '../src/core/model/lists/list-query.ts';
import { foldNewest } from '../src/core/model/writes/unfolded.ts';
import { openList } from '../src/work/export/list-source.ts';
import { type FileForm, type ListAsked, readListAsked } from '../src/work/export/request.ts';
import { writeExport } from '../src/work/export/write.ts';
import { defineJob } from './job.ts';

declare module '../src/work/jobs/kind.ts' {
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
