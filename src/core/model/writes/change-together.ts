// Changes several records in one go. Rules judge each of them as all of them are afterwards, so that two records may
// exchange values that neither of them could take alone.
import { about, Problem } from '../../errors.ts';
import { checkRules, refuse } from '../bodies/check.ts';
import type { Row } from '../fields/field.ts';
import type { Change, Resource } from '../records/record.ts';
import { refuseState } from './state.ts';
import { isSame, update } from './store.ts';

/** The change of a locked row. No parent is locked, so no state of a parent may bind the resource. */
type LockedChange = Change & { readonly previous: Row };

/**
 * Writes the changes of locked records, and nothing where no value changes. Throws Problem with the violations of one
 * stage; each of them names its record.
 */
export async function changeTogether(resource: Resource, all: readonly LockedChange[]): Promise<void> {
  await judgeEach(resource, all, async ({ previous }) => refuseState(resource, previous, {}));
  const changes = all.filter(({ next, previous }) => !isSame(next, previous));
  await judgeEach(resource, changes, (change) => checkRules(resource, change));
  for (const change of changes) await resource.hooks.before?.(change);
  for (const change of changes) await update(resource, change);
  for (const rule of resource.hooks.lateRules ?? [])
    await judgeEach(resource, changes, async (change) => refuse(await rule(change)));
  for (const change of changes) await resource.hooks.after?.(change);
}

/** Runs one stage for each record, and throws the violations of all. */
async function judgeEach(
  { name }: Resource,
  changes: readonly LockedChange[],
  judge: (change: LockedChange) => Promise<void>,
): Promise<void> {
  const found = [];
  for (const change of changes)
    try {
      await judge(change);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      found.push(...about(name, Number(change.next.id), error.violations));
    }
  refuse(found);
}
