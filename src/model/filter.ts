// The grammar of `filter`: <field>[<op>]:<value>, joined by commas. A malformed one is refused with what is
// wrong and at which character (from 1); then unknown fields, then values that are not of the field's type.
import { problem, type Violation, violation } from '../errors.ts';
import { refuse } from './check.ts';
import type { Field, Stored } from './field.ts';
import type { Resource } from './record.ts';
import { wireName } from './value.ts';

export const OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'ni', 'like', 'null'] as const;
// Of each the server's stack pays for a call while it compares.
const MOST_WILDCARDS = 100;

export type Operator = (typeof OPERATORS)[number];

export interface Condition {
  readonly column: string;
  readonly field: Field;
  readonly operator: Operator;
  /** One value; several for `in` and `ni`; for `null` 1 or 0. */
  readonly values: readonly Stored[];
}

interface Term {
  name: string;
  operator: Operator;
  values: string[];
  at: number;
}

/** Reads `filter` for a resource. Throws Problem: 400 malformed, 403 unknown field or wrong value. */
export function parseFilter(resource: Resource, text: string): Condition[] {
  const terms = new Scanner(text).terms();
  const known = terms.map((term) => ({ term, field: visibleField(resource, term.name) }));
  refuse(
    known.filter(({ field }) => !field).map(({ term }) => violation('field_unknown', { field: term.name })),
  );
  const found: Violation[] = [];
  const conditions = known.flatMap(({ term, field }) => (field ? [condition(term, field, found)] : []));
  refuse(found);
  return conditions;
}

/** A field that a request may read; a write-only one is unknown. */
export function visibleField(resource: Resource, name: string): Field | undefined {
  const field = resource.fields.get(name);
  return field?.writeOnly ? undefined : field;
}

function condition(term: Term, field: Field, found: Violation[]): Condition {
  const { name, operator, at } = term;
  if (operator === 'like' && field.datatype !== 'varchar' && field.datatype !== 'text') {
    throw malformed(
      at,
      `operator [like] needs a field of datatype varchar or text, [${name}] is ${field.datatype}`,
    );
  }
  if (operator === 'like' && (term.values[0]?.match(/\*+/g)?.length ?? 0) > MOST_WILDCARDS)
    throw malformed(at, `operator [like] takes at most ${MOST_WILDCARDS} [*]`);
  if (operator === 'null') {
    const [value] = term.values;
    if (value !== '0' && value !== '1') throw malformed(at, 'operator [null] takes 1 or 0');
    return { column: name, field, operator, values: [Number(value)] };
  }
  const values = term.values.map((value) => {
    const stored = field.parse(value);
    if (stored === undefined) {
      found.push(violation('value_wrong_type', { field: name, value, datatype: wireName(field.datatype) }));
    }
    return stored ?? null;
  });
  return { column: name, field, operator, values };
}

const malformed = (at: number, what: string) =>
  problem('parameter_invalid', { field: 'filter', reason: `at character ${at}: ${what}` });

class Scanner {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  terms(): Term[] {
    const terms = [this.term()];
    while (this.at < this.text.length) {
      this.at += 1; // The comma that ended the term before.
      terms.push(this.term());
    }
    return terms;
  }

  private term(): Term {
    const at = this.at + 1;
    const name = this.match(/[^[\]:,"|]+/y);
    if (name === '') throw malformed(at, 'a field name is expected');
    const operator = this.operator();
    if (this.text[this.at] !== ':') throw malformed(this.at + 1, 'a [:] is expected, then the value');
    this.at += 1;
    const values = [this.value(operator)];
    while (hasMany(operator) && this.text[this.at] === '|') {
      this.at += 1;
      values.push(this.value(operator));
    }
    if (this.at < this.text.length && this.text[this.at] !== ',') {
      throw malformed(this.at + 1, 'a [,] or the end is expected after a quoted value');
    }
    return { name, operator, values, at };
  }

  private operator(): Operator {
    if (this.text[this.at] !== '[') return 'eq';
    const at = this.at + 2;
    this.at += 1;
    const name = this.match(/[^[\]:,"|]*/y);
    if (this.text[this.at] !== ']') throw malformed(this.at + 1, 'a []] is expected after the operator');
    this.at += 1;
    const operator = OPERATORS.find((known) => known === name);
    if (!operator) throw malformed(at, `operator [${name}] is none of ${OPERATORS.join(', ')}`);
    return operator;
  }

  private value(operator: Operator): string {
    if (this.text[this.at] !== '"') {
      const plain = this.match(hasMany(operator) ? /[^,|]*/y : /[^,]*/y);
      const quote = plain.indexOf('"');
      if (quote >= 0)
        throw malformed(this.at - plain.length + quote + 1, 'a value that contains ["] must stand in quotes');
      return plain;
    }
    const start = this.at + 1;
    const quoted = this.match(/"(?:[^"]|"")*"/y);
    if (quoted === '') throw malformed(start, 'the quoted value does not end');
    return quoted.slice(1, -1).replaceAll('""', '"');
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}

const hasMany = (operator: Operator) => operator === 'in' || operator === 'ni';
