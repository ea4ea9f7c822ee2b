// The plan of a statement, in the form that MySQL and MariaDB have in common.
import type { Row, Stored } from '../../../src/core/model/fields/field.ts';
import type { Session } from '../../../src/core/model/statements/session.ts';

/** One row a step, with `table`, `type`, `key`, `rows` and `Extra`. */
export async function explain(session: Session, sql: string, values: readonly Stored[]): Promise<Row[]> {
  // MySQL takes no number with a fraction for LIMIT, and mysql2 sends every number as one.
  const texts = values.map((value) => (typeof value === 'number' ? String(value) : value));
  const steps = (await session.execute(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, texts)) as Row[];
  for (const step of steps)
    if (!('key' in step)) throw new Error(`A plan without keys: ${JSON.stringify(step)}`);
  return steps;
}
