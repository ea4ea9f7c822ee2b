// Appointments that go on after a break. Those of the release before have none.
import { changes } from './table.ts';

export const { up } = changes('appointments', (t, has) => {
  if (!has('is_over_breaks')) t.tinyint('is_over_breaks').notNullable().defaultTo(0);
});
