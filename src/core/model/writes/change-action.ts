// The names of what happens to records, as the feed, the events and subscriptions have them.
import { LISTS } from '../../trade/lists.ts';

type Action = Lowercase<keyof typeof LISTS.changeactions>;
// A map, because every event and every row of the feed looks up its name here.
const NAMES = new Map<number, Action>(
  Object.entries(LISTS.changeactions).map(([name, value]) => [value, name.toLowerCase() as Action]),
);
export const ACTION_NAMES: readonly Action[] = [...NAMES.values()];

/** The name of a stored action. Throws RangeError if there is no such action. */
export function actionName(action: number): Action {
  const name = NAMES.get(action);
  if (name === undefined) throw new RangeError(`Unknown value of changeactions: ${action}`);
  return name;
}
