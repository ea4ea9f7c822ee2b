// The migrated tables and the resources say the same, so that the two can't drift apart.
import { expect } from 'chai';
import type { Field } from '../../src/model/field.ts';
import type { Resource } from '../../src/model/record.ts';
import { allResources } from '../../src/model/registry.ts';
import { database, theService } from '../support/service.ts';

const TYPES: Record<string, (field: Field) => string[]> = {
  varchar: ({ length }) => [`varchar(${length})`],
  text: () => ['text', 'mediumtext'],
  timestamp: () => ['datetime(3)'],
  float8: ({ scale }) => [scale === 2 ? 'decimal(16,2)' : 'decimal(18,4)'],
  int4: ({ schema }) => [schema.enum ? 'tinyint' : 'int'],
};

describe('the schema of the database', () => {
  const columnsOf = async ({ table }: Resource) =>
    database().rows(
      'SELECT COLUMN_NAME AS name, COLUMN_TYPE AS type, IS_NULLABLE AS nullable, EXTRA AS extra FROM information_schema.COLUMNS ' +
        'WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?',
      [theService().base.connection.database, table],
    );

  it('has each field of each resource, of its type, and nothing else', async () => {
    for (const resource of allResources()) {
      const columns = await columnsOf(resource);
      const shown = [...resource.fields].filter(([, field]) => !field.writeOnly);
      for (const [name, field] of shown) {
        const column = columns.find((candidate) => candidate.name === name);
        const type = String(column?.type).replace(/^(tinyint|int)\(\d+\)$/, '$1');
        expect(TYPES[field.datatype]?.(field), `${resource.name}.${name}`).to.include(type);
        const optional = !(field.required || field.primary || field.fallback !== null);
        expect(column?.nullable, `${resource.name}.${name}`).to.equal(optional ? 'YES' : 'NO');
      }
      const known = [
        ...shown.map(([name]) => name),
        ...(resource.traits.hidden ?? []),
        'owner_id',
        'version',
      ];
      const written = columns
        .filter(({ extra }) => !String(extra).includes('GENERATED'))
        .map(({ name }) => String(name));
      expect(
        written.filter((name) => !known.includes(name)),
        resource.name,
      ).to.deep.equal([]);
    }
  });

  it('binds each reference to a record of the same owner', async () => {
    for (const resource of allResources().filter(({ ownership }) => ownership === 'column')) {
      for (const [name, { reference }] of resource.fields) {
        if (reference === undefined || reference === 'country') continue;
        const keys = await database().rows(
          'SELECT a.CONSTRAINT_NAME AS name FROM information_schema.KEY_COLUMN_USAGE a JOIN information_schema.KEY_COLUMN_USAGE b ' +
            'USING (CONSTRAINT_SCHEMA, CONSTRAINT_NAME, TABLE_NAME) WHERE a.CONSTRAINT_SCHEMA = ? AND a.TABLE_NAME = ? ' +
            "AND a.COLUMN_NAME = 'owner_id' AND a.REFERENCED_COLUMN_NAME = 'owner_id' AND b.COLUMN_NAME = ? AND b.REFERENCED_COLUMN_NAME = 'id'",
          [theService().base.connection.database, resource.table, name],
        );
        expect(keys, `${resource.name}.${name}`).to.have.length(1);
      }
    }
  });

  it('has a unique key for each field that must be unique', async () => {
    for (const resource of allResources()) {
      for (const [name, { unique, uniqueColumn }] of resource.fields) {
        if (unique === undefined || resource.ownership !== 'column') continue;
        const within = unique === 'all' ? [] : unique === 'owner' ? ['owner_id'] : ['owner_id', unique];
        const [key] = await database().rows(
          'SELECT GROUP_CONCAT(COLUMN_NAME ORDER BY SEQ_IN_INDEX) AS columns FROM information_schema.STATISTICS ' +
            'WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND INDEX_NAME = ? AND NON_UNIQUE = 0',
          [theService().base.connection.database, resource.table, `${resource.table}__${name}`],
        );
        expect(key?.columns, `${resource.name}.${name}`).to.equal(
          [...within, uniqueColumn?.name ?? name].join(','),
        );
      }
    }
  });
});
