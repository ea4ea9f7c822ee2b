// Removes partial files that crashed writers left in the folders of the storage.
import type { Tidier, Tidying } from '../../core/model/statements/tidier.ts';
import { openFolder } from './folder.ts';
import type { Storage } from './open.ts';

export const STORAGE_TIDIERS: readonly Tidier<Tidying & { readonly storage: Storage }>[] = [
  {
    name: 'left_over_files',
    byAge: false,
    remove: ({ storage, waits }) => removePartial(storage, waits),
  },
];

/** Archives have their own. `waits`: only if the writers are known to have ended. */
async function removePartial({ directory, mail, root, documents }: Storage, waits: boolean): Promise<number> {
  const folders = [directory, mail].map(openFolder).filter(({ address }) => address !== root.address);
  let removed = 0;
  for (const store of [...folders, root, documents]) {
    for await (const part of store.leftOvers()) {
      if (part.isFresh || (waits && !part.isAbandoned)) continue;
      await part.remove();
      removed += 1;
    }
  }
  return removed;
}
