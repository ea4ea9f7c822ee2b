// Writes the text of a migration from the differences between tables and fields, as calls of knex's schema builder.
import type { Index } from '../../core/model/records/index-plan.ts';
import type { Column, Reference, TablePlan } from '../../core/model/records/table-plan.ts';
import type { Difference } from './schema-difference.ts';

interface WrittenMigration {
  /** The source of the migration; undefined if there is nothing that it could do. */
  readonly text: string | undefined;
  /** One sentence for each step of the migration, and for each step that is left to its author. */
  readonly sentences: readonly string[];
}

/** The columns and keys that `ownedTable` and `sharedTable` of migrations/table.ts bring. */
const COMMON = new Set([
  'id',
  'owner_id',
  'lock_count',
  'version',
  'external_id',
  'is_blocked',
  'is_archived',
  'is_system',
  'created_at',
  'modified_at',
]);

export function writeMigration(differences: readonly Difference[]): WrittenMigration {
  const tables = differences.flatMap((one) => (one.kind === 'table' ? [one.plan] : []));
  const created = new Set(tables.map(({ name }) => name));
  const left = differences.filter((one) => one.kind === 'untyped' || one.kind === 'surplus');
  const changes = differences.filter((one) => !created.has(one.table) && !left.includes(one));
  const changed = [...new Set(changes.map(({ table }) => table))];
  const sentences = differences.map(sentenceOf);
  if (tables.length === 0 && changed.length === 0) return { text: undefined, sentences };

  const helpers = [
    ...(changed.length > 0 ? ['changes'] : []),
    ...(tables.some(({ owned }) => owned) ? ['ownedTable'] : []),
    ...(tables.some(({ owned }) => !owned) ? ['sharedTable'] : []),
    ...(tables.length + changed.length > 1 ? ['together'] : []),
  ];
  const steps = [
    ...tables.map(createTable),
    ...changed.map((table) =>
      changeTable(
        table,
        changes.filter((one) => one.table === table),
      ),
    ),
  ];
  const made = steps.length === 1 ? steps[0] : `together(\n${steps.map((step) => `${step},`).join('\n')}\n)`;
  const comments = left.map(({ problem }) => `// ${problem}.\n`).join('');
  return {
    text: `import { ${helpers.join(', ')} } from './table.ts';\n\n${comments}export const { up } = ${made};\n`,
    sentences,
  };
}

function sentenceOf(difference: Difference): string {
  const { table } = difference;
  switch (difference.kind) {
    case 'table':
      return `Creates table ${table}.`;
    case 'column':
      return `Adds column ${difference.column.name} to table ${table}.${emptyRows(difference.column)}`;
    case 'type':
      return `Changes column ${difference.column.name} of table ${table} to ${difference.column.type}, ${difference.column.nullable ? 'null' : 'not null'}.`;
    case 'index':
      return `${difference.replaces ? 'Replaces' : 'Adds'} index ${difference.index.name} of table ${table}.`;
    case 'reference':
      return `${difference.replaces ? 'Replaces' : 'Adds'} foreign key ${difference.reference.name} of table ${table}.`;
    default:
      return `${difference.problem}.`;
  }
}

const emptyRows = ({ nullable, fallback }: Column) =>
  nullable || fallback !== null
    ? ''
    : ' The column is required: the migration must give rows that exist their value.';

function createTable({ name, owned, columns, indexes, references }: TablePlan): string {
  // A key on more than the owner and one field is declared by the resource, whatever its fields.
  const isOwn = (key: readonly string[]) => key.length > 2 || key.some((column) => !COMMON.has(column));
  const lines = [
    ...columns.filter(({ name: column }) => !COMMON.has(column)).map(columnCall),
    ...indexes.filter((index) => isOwn(index.columns)).map(indexCall),
    ...references.filter((reference) => isOwn(reference.columns)).map(referenceCall),
  ];
  return `${owned ? 'ownedTable' : 'sharedTable'}('${name}', (t) => {\n${lines.join('\n')}\n})`;
}

function changeTable(table: string, differences: readonly Difference[]): string {
  const lines = differences.flatMap((one): string[] => {
    switch (one.kind) {
      case 'column':
        return [`if (!has('${one.column.name}')) ${columnCall(one.column)}`];
      case 'type':
        return [
          `// It was ${one.found.type}, ${one.found.nullable ? 'null' : 'not null'}.`,
          columnCall(one.column).replace(/;$/, '.alter();'),
        ];
      case 'index': {
        const { index, replaces, wasUnique } = one;
        if (!replaces) return [`if (!has('${index.name}')) ${indexCall(index)}`];
        const drop = wasUnique ? 'dropUnique' : 'dropIndex';
        return [`if (has('${index.name}')) t.${drop}([], '${index.name}');`, indexCall(index)];
      }
      case 'reference': {
        const { reference, replaces } = one;
        if (!replaces) return [`if (!has('${reference.name}')) ${referenceCall(reference)}`];
        return [
          `if (has('${reference.name}')) t.dropForeign([], '${reference.name}');`,
          referenceCall(reference),
        ];
      }
      default:
        return [];
    }
  });
  return `changes('${table}', (t, has) => {\n${lines.join('\n')}\n})`;
}

const TYPES: readonly (readonly [RegExp, (name: string, ...parts: string[]) => string])[] = [
  [/^varchar\((\d+)\)$/, (name, length) => `t.string('${name}', ${length})`],
  [/^mediumtext$/, (name) => `t.text('${name}', 'mediumtext')`],
  [/^text$/, (name) => `t.text('${name}')`],
  [/^datetime\((\d)\)$/, (name, precision) => `t.datetime('${name}', { precision: ${precision} })`],
  [/^decimal\((\d+),(\d+)\)$/, (name, digits, scale) => `t.decimal('${name}', ${digits}, ${scale})`],
  [/^tinyint$/, (name) => `t.tinyint('${name}')`],
  [/^int$/, (name) => `t.integer('${name}')`],
];

function columnCall({ name, type, nullable, fallback }: Column): string {
  for (const [pattern, call] of TYPES) {
    const match = pattern.exec(type);
    if (!match) continue;
    const required = nullable ? '' : '.notNullable()';
    const usual = fallback === null ? '' : `.defaultTo(${literal(fallback)})`;
    return `${call(name, ...match.slice(1))}${required}${usual};`;
  }
  throw new Error(`No call of knex is known for the type ${type}`);
}

const literal = (value: string | number) =>
  typeof value === 'number' ? String(value) : `'${value.replace(/[\\']/g, '\\$&')}'`;

const list = (columns: readonly string[]) => `[${columns.map((column) => `'${column}'`).join(', ')}]`;

const indexCall = ({ name, columns, unique }: Index) =>
  unique ? `t.unique(${list(columns)}, { indexName: '${name}' });` : `t.index(${list(columns)}, '${name}');`;

const referenceCall = ({ name, columns, table, referenced }: Reference) =>
  `t.foreign(${list(columns)}, '${name}').references(${list(referenced)}).inTable('${table}');`;
