// record(name, fields, traits) makes an Objection model and, beside it, the Resource that the engine works on.
// Everything the service does with a resource follows from these two.
import type { Modifiers, RelationMappings } from 'objection';
import type { Violation } from '../../errors.ts';
import type { LISTS } from '../../trade/lists.ts';
import {
  type Field,
  type Fields,
  flag,
  primaryId,
  type Row,
  type RowOf,
  type Stored,
  timestamp,
  varchar,
} from '../fields/field.ts';
import { type BaseModel, type OwnedClass, OwnedModel } from '../statements/base-model.ts';
import { emptyLast } from '../statements/fragment.ts';
import type { Garage } from '../statements/garage.ts';
import type { Actor, Database } from '../statements/session.ts';
import { relationMappings } from './relation.ts';
import type { Ownership, Traits } from './traits.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** A role of a user; each may do what a lower one may: ADMIN, USER, READONLY. */
export type Role = keyof typeof LISTS.rolekinds;

/**
 * A change, as rules and hooks see it. `next` is the record after the change. `P`: the row of the parent. `Made`: what
 * the hook `prepare` makes.
 */
export interface Change<R = Row, P = Row, Made = unknown> {
  readonly next: R;
  /** The record as it is; undefined on POST. */
  readonly previous?: R;
  /** The value that the request gives; undefined if the request does not name the field. */
  readonly given: (field: string) => unknown;

  readonly garage: Garage;
  /** The locked row of the parent, if the resource has a parent. */
  readonly parent?: P;
  /** The place of a child in a body that holds several: `orderline[1]`. */
  readonly path?: string;
  /** Given if the children of a parent are written together with it. `siblingFinder` reads them. */
  readonly siblings?: Siblings<R>;
  /** The result of the hook `prepare`. */
  readonly prepared?: Made;
}

/** What a request does to the other children of a kind, when the rules judge one of them. */
export interface Siblings<R = Row> {
  /** The children before this one in the body that passed their rules and are not yet written. */
  readonly accepted: readonly R[];
  /** The children that the request changes and has not yet written: their rows in the table do not count. */
  readonly pending: readonly number[];
  /** Whether the parent is new and nothing is written yet, so the table has no child of the parent. */
  readonly isWhole: boolean;
  /** Whether the table stays as it is while all children are judged. */
  readonly isStill: boolean;
}

/** The rows of resources that have children, by the name of the resource. Each such resource declares its own. */
// biome-ignore lint/suspicious/noEmptyInterface: src/core/resources/ adds the members
export interface ParentRows {}

/** The row of the parent that a reference names: `order_id` leads to an order. */
type ParentRow<P extends string> = P extends `${infer Name extends keyof ParentRows & string}_id`
  ? ParentRows[Name]
  : Row;

/** What a rule finds: no violation, one or several. */
export type Findings = Violation | readonly Violation[] | undefined;
type Rule<C> = (change: C) => Findings | Promise<Findings>;

/**
 * What a resource does beyond its fields. `rulesOf` attaches it. Hooks but `prepare` and `aroundAdding` run inside the
 * request's transaction.
 */
interface Hooks<R = Row, P = Row, Made = unknown> {
  /** Long work on the body of a PUT, before the transaction. The body has not been checked. Throws Problem. */
  readonly prepare?: (garage: Garage, body: Readonly<Record<string, unknown>>) => Promise<Made>;
  /** Does the work whose transaction may add records of these bodies. The bodies have not been checked. */
  readonly aroundAdding?: <Result>(
    database: Database,
    actor: Actor,
    bodies: readonly Readonly<Record<string, unknown>>[],
    work: () => Promise<Result>,
  ) => Promise<Result>;
  readonly rules?: readonly Rule<Change<R, P, Made>>[];
  /**
   * Rules that count only once references and uniqueness hold, so they run when the row is written. Each is a stage of
   * its own.
   */
  readonly lateRules?: readonly Rule<Change<R, P, Made>>[];
  /** Reasons not to delete a record besides its references. */
  readonly keeps?: (row: R, garage: Garage, parent?: P) => Findings | Promise<Findings>;
  /** One refusal for each code that its own rules and hooks give, for the description. */
  readonly refuses?: Readonly<Partial<Record<'write' | 'add' | 'change' | 'delete', readonly Violation[]>>>;
  /** Sets readonly and hidden columns of `next` before it is written. */
  readonly before?: (change: Change<R, P, Made>) => void | Promise<void>;
  /** Updates other rows after a write. May change `next` if the hook updates the row itself. */
  readonly after?: (change: Change<R, P, Made>) => void | Promise<void>;
  /** In place of `after`, once for all children that are added or changed with their parent. */
  readonly afterAll?: (changes: readonly Change<R, P, Made>[]) => void | Promise<void>;
  readonly afterDelete?: (change: Change<R, P, Made>) => void | Promise<void>;
  /** Called once before an import writes some rows: claims for all of them what each would claim by itself. */
  readonly beforeBatch?: (garage: Garage) => Promise<void>;
  /** Computes hidden columns and counters from the rows of an owner after a restore. */
  readonly afterRestore?: (garage: Garage) => Promise<void>;
}

/** The input of the check of a body. Resources and forms have it. */
export interface Shape {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** Columns that are read and shown, `id` first. */
  readonly columns: readonly string[];
  /** Further columns that are written and not shown. */
  readonly unshown: readonly string[];
  readonly traits: Traits;
  readonly hooks: Hooks;
}

/** A resource as the engine knows it. `R`: the type of its rows, if the caller knows the resource by its class. */
export interface Resource<R extends Row = Row, P extends string = string> extends Shape {
  /** Never set: it carries the type of the rows. */
  readonly row?: R;
  /** Never set: it carries the name of the reference to the parent. */
  readonly parentReference?: P;
  /** Its Objection model. */
  readonly model: RecordClass;
  readonly table: string;
  readonly ownership: Ownership;
  readonly methods: readonly Method[];
  /** The column that tells rows apart in lists, and is their last sort key; `id` if it is missing. */
  readonly key?: string;
  /** The order of a list whose request asks for none, as `sort` writes it; by the key if it is missing. */
  readonly sort?: string;
  /** The primary key is the owner and the ID, and `<table>__id` is unique over all owners. */
  readonly clustered?: boolean;
  /** The shape of an import of old records. A row may give its fields, and the fields of its children. */
  readonly takesHistory?: boolean;
}

/** All columns of a row, hidden ones included. */
export const wholeColumns = ({ columns, unshown }: Shape): string[] => [...columns, ...unshown];

/** The columns without bytes, for a reader who has no use for bytes. */
export const columnsWithoutBytes = ({ columns, fields }: Resource): string[] =>
  columns.filter((name) => fields.get(name)?.datatype !== 'bytea');

export const keyOf = ({ key = 'id' }: Pick<Resource, 'key'>): string => key;

const LEADING = { id: primaryId() };
const TRAILING = {
  external_id: varchar(64, { unique: 'owner', description: "The integrator's own key" }),
  is_blocked: flag({ indexed: true }),
  is_archived: flag({ indexed: true }),
  is_system: flag({ readonly: true }),
  created_at: timestamp({ readonly: true, required: true, indexed: true, history: true }),
  modified_at: timestamp({ readonly: true, required: true, indexed: true }),
};

/** A column of every owned row. It goes up when a rule decides under a lock on the row: see `claimRecord`. */
export const LOCK_COUNT = 'lock_count';

/** The number in a record's ETag: a column that a record shows only where `fields` names it. */
export const VERSION = 'version';

/** The columns of every row that the API does not show. `version` goes up with each change; the ETag. */
type Unshown = { owner_id: number; version: number };

/** A row of these fields. `H`: the names of hidden columns. */
type FullRow<F extends Fields, H extends string> = RowOf<typeof LEADING & F & typeof TRAILING> &
  Unshown &
  Record<H, Stored>;

/** The model of a resource. If the resource is known by name only, its rows have any columns. */
export type RecordClass<R extends Row = Row, P extends string = string> = Omit<OwnedClass, 'new'> & {
  new (): BaseModel & R;
  readonly resource: Resource<R, P>;
};

/** The rows of a model: `RowIn<typeof Order>`. */
export type RowIn<M extends { readonly resource: Resource }> =
  M['resource'] extends Resource<infer R> ? R : never;

/** The changes of a model, with the row of its parent: `ChangeOf<typeof OrderLine>`. */
export type ChangeOf<M extends { readonly resource: Resource }> =
  M['resource'] extends Resource<infer R, infer P> ? Change<R, ParentRow<P>> : never;

/** Declares a resource: see Traits for what it can do beyond its fields. */
export function record<
  const F extends Fields,
  const H extends string = never,
  const P extends string = never,
>(
  name: string,
  fields: F,
  traits: Traits<FullRow<F, H>, P> & { readonly hidden?: readonly H[] } = {},
): RecordClass<FullRow<F, H>, P> {
  const all = new Map<string, Field>(Object.entries({ ...LEADING, ...fields, ...TRAILING }));
  if (traits.personalKey) all.set('external_id', { ...TRAILING.external_id, personal: true });
  const made = class extends OwnedModel {
    static override tableName = traits.table ?? `${name}s`;

    static get resource(): Resource {
      return resource;
    }

    static override get relationMappings(): RelationMappings {
      return relationMappings(resource);
    }

    static override get modifiers(): Modifiers {
      return modifiers(resource);
    }
  };
  const resource: Resource = {
    name,
    model: made as RecordClass,
    table: made.tableName,
    fields: all,
    columns: [...all].filter(([, field]) => !field.writeOnly).map(([column]) => column),
    unshown: [...(traits.hidden ?? []), VERSION],
    traits: traits as Traits,
    hooks: {},
    ownership: traits.ownership ?? 'column',
    methods: traits.methods ?? ['GET', 'POST', 'PUT', 'DELETE'],
    clustered: (traits.ownership ?? 'column') === 'column',
  };
  return made as RecordClass<FullRow<F, H>, P>;
}

/**
 * Attaches rules and hooks to a resource. The files of src/business/rules/ do so, since hooks reach into rooms that use
 * the resource.
 */
export function rulesOf<R extends Row, P extends string, Made>(
  { resource }: { readonly resource: Resource<R, P> },
  hooks: Hooks<R, ParentRow<P>, Made>,
): void {
  Object.assign(resource.hooks, hooks);
}

/** The column that binds a row to its owner; undefined if all owners share the rows. */
export const ownerColumn = ({ ownership }: Pick<Resource, 'ownership'>): 'owner_id' | 'id' | undefined =>
  ownership === 'none' ? undefined : ownership === 'self' ? 'id' : 'owner_id';

/** `owned(owner)`: the rows of that owner; `sorted`: as lists of children are shown. */
function modifiers(resource: Resource): Modifiers {
  const column = ownerColumn(resource);
  const { fields } = resource;
  return {
    owned: (query, owner: number) => {
      if (column !== undefined) query.where(`${query.tableRefFor(query.modelClass())}.${column}`, owner);
    },
    sorted: (query) => {
      if (fields.has('sort_order')) query.orderBy(emptyLast('sort_order')).orderBy('sort_order');
      query.orderBy('id');
    },
  };
}

/**
 * The role that an operation of a resource needs. An endpoint must say it, a resource need not: then the lowest role
 * reads, and a USER writes, since READONLY may only GET.
 */
export const needsOf = ({ traits }: Resource, method: Method): Role =>
  traits.needs?.[method] ?? (method === 'GET' ? 'READONLY' : 'USER');
