// Which columns, references and indexes the table of a resource has, as its fields declare them.
import { type Field, isNullable, type Stored } from '../fields/field.ts';
import { type Index, indexesOf } from './index-plan.ts';
import { LOCK_COUNT, type Resource } from './record.ts';
import { resourceNamed } from './registry.ts';
import { SEARCH_TEXT, UNFOLDED_AT } from './search-text.ts';

export interface Column {
  readonly name: string;
  /** As MySQL and MariaDB write it, without the width of integers: `varchar(40)`, `tinyint`. */
  readonly type: string;
  readonly nullable: boolean;
  readonly fallback: Stored;
}

export interface Reference {
  /** `<table>__<field>__reference`. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly referenced: readonly string[];
}

export interface TablePlan {
  readonly name: string;
  readonly owned: boolean;
  readonly columns: readonly Column[];
  /** Columns without a field that has their type: hidden ones, and those that the server computes for unique fields. */
  readonly untyped: readonly string[];
  readonly references: readonly Reference[];
  readonly indexes: readonly Index[];
}

export function planOf(resource: Resource): TablePlan {
  const { table, fields, traits, ownership } = resource;
  const owned = ownership === 'column';
  const own: Column[] = [
    ...(owned ? [integer('owner_id', null), integer(LOCK_COUNT, 0)] : []),
    integer('version', 1),
    ...[...fields].filter(([, field]) => !field.writeOnly).map(([name, field]) => columnOf(name, field)),
  ];
  const computed = [...fields.values()].flatMap(({ uniqueColumn }) => uniqueColumn?.name ?? []);
  return {
    name: table,
    owned,
    columns: own,
    untyped: [...(traits.hidden ?? []), ...computed, ...(traits.folded ? [SEARCH_TEXT, UNFOLDED_AT] : [])],
    references: [
      ...(owned ? [reference(`${table}__owner`, ['owner_id'], 'owners', ['id'])] : []),
      ...[...fields].flatMap(([name, field]) =>
        field.reference === undefined ? [] : [referenceOf(resource, name, field.reference)],
      ),
    ],
    indexes: indexesOf(resource),
  };
}

const integer = (name: string, fallback: Stored): Column => ({
  name,
  type: 'int',
  nullable: false,
  fallback,
});

const columnOf = (name: string, field: Field): Column => ({
  name,
  type: typeOf(field),
  nullable: isNullable(field),
  // No column of text has a default in MySQL.
  fallback: field.datatype === 'text' ? null : field.fallback,
});

function typeOf({ datatype, length, scale, schema, kind }: Field): string {
  switch (datatype) {
    case 'varchar':
    case 'varchar[]':
      return `varchar(${length})`;
    case 'text':
      return kind === 'json' ? 'mediumtext' : 'text';
    case 'timestamp':
      return 'datetime(3)';
    case 'float8':
      return scale === 2 ? 'decimal(16,2)' : 'decimal(18,4)';
    case 'int4':
      return schema.enum ? 'tinyint' : 'int';
    case 'bytea':
      // The base64, as requests and answers have it.
      return 'mediumtext';
  }
}

function referenceOf({ table, ownership }: Resource, name: string, to: string): Reference {
  const other = resourceNamed(to);
  const withOwner = ownership === 'column' && other.ownership === 'column' ? ['owner_id'] : [];
  return reference(`${table}__${name}__reference`, [...withOwner, name], other.table, [...withOwner, 'id']);
}

const reference = (
  name: string,
  columns: readonly string[],
  table: string,
  referenced: readonly string[],
): Reference => ({ name, columns, table, referenced });
