// Many rows of one owner, as an older release or somebody's SQL leaves them: no rule has seen them.
import type { Row } from '../../../src/core/model/fields/field.ts';
import { insertInPortions } from '../../../src/core/model/statements/insert-many.ts';
import type { Session } from '../../../src/core/model/statements/session.ts';

const WRITTEN_AT = '2020-01-01 00:00:00.000';

/** Writes `count` rows. All have the same columns. */
export const writeRows = (
  session: Session,
  owner: number,
  { table, count }: { table: string; count: number },
  make: (index: number) => Row,
): Promise<void> =>
  insertInPortions(
    session,
    table,
    Array.from({ length: count }, (_, index) => ({
      owner_id: owner,
      created_at: WRITTEN_AT,
      modified_at: WRITTEN_AT,
      ...make(index),
    })),
  );
