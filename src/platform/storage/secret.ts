// Two values that a storage holds once: the key of signatures, and the ID of the installation.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Storage } from './open.ts';
import { readText, type Store } from './store.ts';

export const SIGNING_SECRET = 'signing-secret';
const INSTALLATION_ID = 'installation-id';

/**
 * The key of signatures: the configured one, or one that is made once and kept in the storage. Throws if the file was
 * emptied: everybody knows such a key.
 */
export async function signingSecret(storage: Storage, configured: string): Promise<string> {
  const known = await findSigningSecret(storage, configured);
  if (known !== undefined) return known;
  const { text } = await madeOnce(storage.root, SIGNING_SECRET, () => randomBytes(32).toString('hex'));
  return text;
}

/** The key of signatures, without making one. Undefined: the next start makes it. */
export async function findSigningSecret({ root }: Storage, configured: string): Promise<string | undefined> {
  if (configured !== '') return configured;
  const text = await readText(root, SIGNING_SECRET);
  if (text === '')
    throw new Error(
      `${SIGNING_SECRET} in ${root.address} is empty: put it back from a copy, or remove it and make new keys`,
    );
  return text;
}

/** The ID of the installation that this storage belongs to, made once. `isNew`: made by this call. */
export async function installationId({ root }: Storage): Promise<{ id: string; isNew: boolean }> {
  const { text, isNew } = await madeOnce(root, INSTALLATION_ID, randomUUID);
  return { id: text, isNew };
}

/** The ID of the installation, without making one. Undefined: the next start makes it. */
export const findInstallationId = ({ root }: Storage): Promise<string | undefined> =>
  readText(root, INSTALLATION_ID);

/** Reads the text back also after a write, because another process may have written in the same moment. */
async function madeOnce(
  store: Store,
  name: string,
  make: () => string,
): Promise<{ text: string; isNew: boolean }> {
  const known = await readText(store, name);
  if (known !== undefined) return { text: known, isNew: false };
  const made = make();
  await store.writeOnce(name, made);
  const text = await readText(store, name);
  if (text === undefined) throw new Error(`${store.address}: ${name} could not be kept`);
  return { text, isNew: text === made };
}
