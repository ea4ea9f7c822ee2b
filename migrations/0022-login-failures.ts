// The columns are the ones that rate-limiter-flexible asks for.
import { table } from './table.ts';

export const { up } = table('login_failures', (t) => {
  t.string('key', 255).notNullable();
  t.integer('points').notNullable().defaultTo(0);
  t.bigInteger('expire').unsigned();
  t.primary(['key']);
});
