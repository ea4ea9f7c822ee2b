// The grammar of `filter`: <field>[<op>]:<value>, joined by commas. A malformed filter is refused with the reason and
// the character (from 1). Unknown fields are refused next, then values that are not of the field's type.
import { Problem, type Violation, violation } from '../../errors.ts';
import { refuse } from '../bodies/check.ts';
import type { Field, Stored } from '../fields/field.ts';
import { wireName } from '../fields/value.ts';
import type { Resource } from '../records/record.ts';

export const OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'ni', 'like', 'null'] as const;
// The server tries every way to share a text between the wildcards of a pattern.
const MOST_WILDCARDS = 5;
const LONGEST_PATTERN = 200;

type Operator = (typeof OPERATORS)[number];

export interface Condition {
  readonly column: string;
  readonly field: Field;
  readonly operator: Operator;
  /** One value; several for `in` and `ni`; for `null` 1 or 0. */
  readonly values: readonly Stored[];
  /** Limits the rows that the caller may see, whatever the request says. Most rows meet it, so it chooses no index. */
  readonly isScope?: true;
}

interface Term {
  name: string;
  operator: Operator;
  values: string[];
  at: number;
}

/** Reads `filter` for a resource. Throws Problem: 400 malformed, 403 unknown field or wrong value. */
export function parseFilter(resource: Resource, text: string): Condition[] {
  const known: [Term, Field][] = [];
  const unknown: Violation[] = [];
  for (const term of new Scanner(text).terms()) {
    const field = visibleField(resource, term.name);
    if (field) known.push([term, field]);
    else unknown.push(violation('field_unknown', { field: term.name }));
  }
  refuse(unknown);
  refuse(known.flatMap(([term, field]) => misuse(term, field) ?? []));
  const found: Violation[] = [];
  const conditions = known.map(([term, field]) => condition(term, field, found));
  refuse(found);
  return conditions;
}

/** A field that a request may read. A write-only field is unknown. */
export function visibleField(resource: Resource, name: string): Field | undefined {
  const field = resource.fields.get(name);
  return field?.writeOnly ? undefined : field;
}

/** The refusal of a wrong use of an operator. */
function misuse(
  { name, operator, values: [value = ''], at }: Term,
  { datatype }: Field,
): Violation | undefined {
  if (operator === 'null' && value !== '0' && value !== '1')
    return malformed(at, 'operator [null] takes 1 or 0');
  if (operator !== 'like') return undefined;
  if (datatype !== 'varchar' && datatype !== 'text')
    return malformed(
      at,
      `operator [like] needs a field of datatype varchar or text, [${name}] is ${datatype}`,
    );
  if (Array.from(value).length > LONGEST_PATTERN)
    return malformed(at, `operator [like] takes at most ${LONGEST_PATTERN} characters`);
  return (value.match(/\*+/g)?.length ?? 0) > MOST_WILDCARDS
    ? malformed(at, `operator [like] takes at most ${MOST_WILDCARDS} [*]`)
    : undefined;
}

/** The condition that a term means. Adds the refusals of its values to `found`. */
function condition({ name, operator, values }: Term, field: Field, found: Violation[]): Condition {
  if (operator === 'null') return { column: name, field, operator, values: values.map(Number) };
  const stored = values.map((value) => {
    const parsed = field.parse(value);
    if (parsed === undefined) {
      found.push(violation('value_wrong_type', { field: name, value, datatype: wireName(field.datatype) }));
    }
    return parsed ?? null;
  });
  return { column: name, field, ...withForms(field, operator, stored) };
}

/** A value that is looked for may be stored in several forms. */
function withForms({ validation }: Field, operator: Operator, values: readonly Stored[]) {
  const { formsOf } = validation ?? {};
  const many = MANY[operator];
  if (!formsOf || !many) return { operator, values };
  const forms = [...new Set(values.flatMap((value) => (value === null ? [] : formsOf(String(value)))))];
  return { operator: forms.length > 1 ? many : operator, values: forms };
}

/** The operator for several values, of those that ask for equal ones. */
const MANY: Partial<Record<Operator, Operator>> = { eq: 'in', in: 'in', ne: 'ni', ni: 'ni' };

const malformed = (at: number, what: string): Violation =>
  violation('parameter_invalid', { field: 'filter', reason: `at character ${at}: ${what}` });

const unreadable = (at: number, what: string): Problem => new Problem(malformed(at, what));

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
    if (name === '') throw unreadable(at, 'a field name is expected');
    const operator = this.operator();
    if (this.text[this.at] !== ':') throw unreadable(this.at + 1, 'a [:] is expected, then the value');
    this.at += 1;
    const values = [this.value(operator)];
    while (hasMany(operator) && this.text[this.at] === '|') {
      this.at += 1;
      values.push(this.value(operator));
    }
    if (this.at < this.text.length && this.text[this.at] !== ',') {
      throw unreadable(this.at + 1, 'a [,] or the end is expected after a quoted value');
    }
    return { name, operator, values, at };
  }

  private operator(): Operator {
    if (this.text[this.at] !== '[') return 'eq';
    const at = this.at + 2;
    this.at += 1;
    const name = this.match(/[^[\]:,"|]*/y);
    if (this.text[this.at] !== ']') throw unreadable(this.at + 1, 'a []] is expected after the operator');
    this.at += 1;
    const operator = OPERATORS.find((known) => known === name);
    if (!operator) throw unreadable(at, `operator [${name}] is none of ${OPERATORS.join(', ')}`);
    return operator;
  }

  private value(operator: Operator): string {
    if (this.text[this.at] !== '"') {
      const plain = this.match(hasMany(operator) ? /[^,|]*/y : /[^,]*/y);
      const quote = plain.indexOf('"');
      if (quote >= 0)
        throw unreadable(
          this.at - plain.length + quote + 1,
          'a value that contains ["] must stand in quotes',
        );
      return plain;
    }
    const start = this.at + 1;
    const quoted = this.match(/"(?:[^"]|"")*"/y);
    if (quoted === '') throw unreadable(start, 'the quoted value does not end');
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
