// Readiness: whether the database and the storage answer.
import type { Parts } from '../parts.ts';

export async function readiness({
  database,
  storage,
}: Parts): Promise<{ ready: boolean; database: boolean; storage: boolean }> {
  const works = (check: PromiseLike<unknown>) =>
    check.then(
      () => true,
      () => false,
    );
  const [data, files] = await Promise.all([works(database.knex.select(1)), works(storage.check())]);
  return { ready: data && files, database: data, storage: files };
}
