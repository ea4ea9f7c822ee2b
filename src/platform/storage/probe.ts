// Tries everything that the service does with a store, for `forecourt doctor`.
import { randomBytes } from 'node:crypto';
import { readText, type Store } from './store.ts';

/** Writes, lists, reads and deletes something. Throws an error of one line that names the store. */
export async function probe(store: Store): Promise<void> {
  const text = randomBytes(16).toString('hex');
  const name = `probe-${text}`;
  let step = 'written to';
  try {
    await store.write(name, Buffer.from(text));
    step = 'read';
    const read = await readText(store, name);
    if (read !== text) throw new Error(`it answers ${JSON.stringify(read)} in place of what was written`);
    step = 'listed';
    if (!(await isListing(store))) throw new Error('it does not list what was written');
    for await (const _ of store.leftOvers()) break;
    step = 'deleted from';
    await store.remove(name);
    if (await store.find(name)) throw new Error('it still has what was deleted');
  } catch (error) {
    const { message, name: kind } = ((error as Error).cause ?? error) as Error;
    throw new Error(`${store.address} can't be ${step}: ${message || kind}`);
  }
}

/** The first name is enough, because there may be millions. */
async function isListing(store: Store): Promise<boolean> {
  for await (const _ of store.list()) return true;
  return false;
}
