// Removes archives that no job needs, and what attempts have left in files.
import type { Session } from '../../core/model/statements/session.ts';
import type { Storage } from '../../platform/storage/open.ts';
import type { Store } from '../../platform/storage/store.ts';
import { type AttemptFile, usesOf } from './job-archive.ts';

const FILES_AT_ONCE = 500;

interface Which {
  /** Only the files of one job. */
  readonly of?: string;
  /** Only partial files whose writers have ended. */
  readonly waits?: boolean;
  /** Archives of unknown jobs go if they are older. If nothing is said, none goes. */
  readonly before?: Date;
}

/**
 * Removes archives, whole or partial, that no job needs and that no process may still be writing. Answers how many.
 */
export async function removeLeftOvers(
  session: Session,
  { archives }: Pick<Storage, 'archives'>,
  { of = '', waits = false, before }: Which = {},
): Promise<number> {
  let removed = 0;
  for await (const some of waits ? [] : inGroups(archives.list(), of)) {
    const uses = await usesOf(session, some.map(fileOf));
    for (const { name } of some) {
      const use = uses.get(name);
      if (use === 'unknown' ? !(await isOlder(archives, name, before)) : use !== undefined) continue;
      await archives.remove(name);
      removed += 1;
    }
  }
  for await (const some of inGroups(archives.leftOvers(), of)) {
    const uses = await usesOf(session, some.map(fileOf));
    for (const part of some) {
      const use = uses.get(part.name);
      // Somebody may be copying an archive that is made.
      const isHeld = use === 'begun' || (use !== undefined && part.isFresh);
      if (isHeld || (waits && !part.isAbandoned)) continue;
      await part.remove();
      removed += 1;
    }
  }
  return removed;
}

async function isOlder(archives: Store, name: string, before: Date | undefined): Promise<boolean> {
  if (!before) return false;
  const found = await archives.find(name);
  return found !== undefined && found.modifiedAt < before;
}

/** Files whose names hold that text, some hundreds at once: a folder may have files of thousands of garages. */
async function* inGroups<File extends { readonly name: string }>(
  files: AsyncIterable<File>,
  text: string,
): AsyncGenerator<File[]> {
  let group: File[] = [];
  for await (const file of files) {
    if (!file.name.includes(text)) continue;
    group.push(file);
    if (group.length < FILES_AT_ONCE) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** A file that is named like no attempt belongs to no job. */
function fileOf({ name }: { readonly name: string }): AttemptFile {
  const [, job = '', fence] = ATTEMPT.exec(name) ?? [];
  return { name, job, fence: Number(fence) };
}

/** `<kind>-<job>-<fence>.zip`, and `<job>.<fence>` of a part file from an older version. */
const ATTEMPT = /([0-9a-f]{8}-[0-9a-f-]{27})[.-](\d+)(?:\.zip)?$/;
