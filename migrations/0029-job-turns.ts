import type { Knex } from 'knex';
import { table } from './table.ts';

const turns = table(
  'job_turns',
  `
  owner_id INT NOT NULL,
  PRIMARY KEY (owner_id),
  CONSTRAINT job_turns__owner FOREIGN KEY (owner_id) REFERENCES owners (id) ON DELETE CASCADE
`,
);

export async function up(knex: Knex): Promise<void> {
  await turns.up(knex);
  // Jobs that are there already need theirs.
  await knex.raw('INSERT IGNORE INTO job_turns (owner_id) SELECT DISTINCT owner_id FROM jobs');
}

export const { down } = turns;
