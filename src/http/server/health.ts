// Readiness: whether the database takes writes, the storage answers, and no end of this process is announced.
import type { Services } from '../../services.ts';

export interface Readiness {
  readonly status: 'ok' | 'draining' | 'unavailable';
  readonly database: boolean;
  readonly storage: boolean;
}

export async function readiness({ database, storage, isDraining }: Services): Promise<Readiness> {
  const works = (check: PromiseLike<unknown>) =>
    check.then(
      () => true,
      () => false,
    );
  const [data, files] = await Promise.all([works(database.check()), works(storage.check())]);
  const status = isDraining() ? 'draining' : data && files ? 'ok' : 'unavailable';
  return { status, database: data, storage: files };
}
