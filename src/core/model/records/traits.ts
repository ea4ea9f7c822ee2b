// What the author of a resource may say about it beside its fields.
import type { Row } from '../fields/field.ts';
import type { About } from './about.ts';
import type { Method, Role } from './record.ts';

/** `column`: rows belong to an owner; `self`: the row is the owner; `none`: shared by all. */
export type Ownership = 'column' | 'self' | 'none';

interface Folded {
  /** They name the record, so they find the records that refer to it too. */
  readonly named?: readonly string[];
  readonly own: readonly string[];
}

interface Search<R = Row> {
  /** Whose texts find a record as its own do: children and references, by their names in `expand`. */
  readonly also: readonly string[];
  /** How a hit is shown. `subtitle`: undefined without one; or a reference, by its name: the title of that record. */
  readonly title: (row: R) => string;
  readonly subtitle: ((row: R) => string | undefined) | string;
}

/** The differences between a resource and a plain table. */
export interface Traits<R = Row, P extends string = string> {
  readonly table?: string;
  readonly description?: string;
  readonly ownership?: Ownership;
  readonly methods?: readonly Method[];
  /** The roles that its operations need, if they are not those of `needsOf`. */
  readonly needs?: Readonly<Partial<Record<Method, Role>>>;
  /** The reference to the parent record. If it may be empty or change, rules of the resource judge the new parent. */
  readonly parent?: P;
  /**
   * Whose personal data a record holds, and what anonymising that person does to it. `nobody`: it refers to a contact,
   * an order or a vehicle, and still says nothing about a person. Required if a reference leads to a person.
   */
  readonly about?: About | 'nobody';
  /**
   * Whether the external_id is personal too: integrators take e-mail addresses and license plates for keys. Required if
   * the record is about a person.
   */
  readonly personalKey?: boolean;
  /** Its records have tokens, which a change may end. */
  readonly hasTokens?: boolean;
  /** Its records have stored files. */
  readonly hasFiles?: boolean;
  /** Columns that the API never shows. */
  readonly hidden?: readonly string[];
  /** The texts by which a search finds a record: the service keeps them folded. */
  readonly folded?: Folded;
  /** Lists take `search`. */
  readonly search?: Search<R>;
  /** Indexes on several fields, in the order of their columns; an index on one field is the field's `indexed`. */
  readonly indexes?: readonly (readonly string[])[];
  /** Names of fields that this kind of record requires (a company's name). */
  readonly requires?: (next: R) => readonly string[];
  /** The state, as messages name it, in which neither the record nor its children may change. */
  readonly frozen?: (row: R) => string | undefined;
  /**
   * In place of the parent's `frozen`: the state of the parent, as messages name it, in which no such child is added,
   * changed or deleted. No child of this kind is added together with its parent, such as a payment: a new parent is not
   * yet in its state. `nothing`: the child may change in each state of its parent.
   */
  readonly frozenBy?: 'nothing' | ((parent: Row) => string | undefined);
  /** Whether a frozen record accepts this change. */
  readonly thaws?: (row: R, body: Readonly<Record<string, unknown>>) => boolean;
}
