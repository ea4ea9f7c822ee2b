// A job knows who asked for it, and the endpoint that it counts as: who may not use that endpoint does not see the job.
import type { Knex } from 'knex';
import { changes } from './table.ts';

const columns = changes('jobs', (t, has) => {
  if (!has('employee_id')) t.integer('employee_id');
  if (!has('endpoint')) t.string('endpoint', 100).notNullable().defaultTo('');
});

const ENDPOINTS = {
  'document-generation': 'POST /document/generate',
  import: 'POST /import',
  journal: 'POST /export',
  'owner-backup': 'POST /backup/owner',
  'personal-data': 'POST /contact/personaldata',
};

export async function up(knex: Knex): Promise<void> {
  await columns.up(knex);
  for (const [kind, endpoint] of Object.entries(ENDPOINTS))
    await knex('jobs').where({ kind, endpoint: '' }).update({ endpoint });
  // Anonymising a contact empties the parameters of exports.
  await knex('jobs')
    .where({ kind: 'export', endpoint: '' })
    .update({
      endpoint: knex.raw(
        "COALESCE(CONCAT('GET /', JSON_UNQUOTE(JSON_EXTRACT(params, '$.resource'))), 'POST /export')",
      ),
    });
  // Of older jobs only imports know their employee.
  await knex('jobs')
    .where({ kind: 'import', employee_id: null })
    .update({ employee_id: knex.raw("JSON_UNQUOTE(JSON_EXTRACT(params, '$.actor.employee'))") });
}
