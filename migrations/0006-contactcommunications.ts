import { ownedTable } from './table.ts';

export const { up } = ownedTable('contactcommunications', (t) => {
  t.integer('contact_id').notNullable();
  t.tinyint('communication_type').notNullable();
  t.string('value', 150).notNullable();
  t.string('description', 60);
  t.tinyint('is_prefered_email').notNullable().defaultTo(0);
  t.index(['owner_id', 'contact_id'], 'contactcommunications__contact_id');
  t.index(['owner_id', 'communication_type'], 'contactcommunications__communication_type');
  t.index(['owner_id', 'value'], 'contactcommunications__value');
  t.foreign(['owner_id', 'contact_id'], 'contactcommunications__contact_id__reference')
    .references(['owner_id', 'id'])
    .inTable('contacts');
});
