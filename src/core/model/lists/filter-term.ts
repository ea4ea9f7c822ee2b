// The grammar of `filter`: <field>[<op>]:<value>, joined by commas, where any(a,b) is one condition out of several. A
// malformed filter is refused with the reason and the character (from 1).
import { Problem, type Violation, violation } from '../../errors.ts';

export const OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'ni', 'like', 'has', 'null'] as const;
export type Operator = (typeof OPERATORS)[number];

const FEWEST_OF_ANY = 2;
const MOST_OF_ANY = 10;

/** One condition as it is written. */
export interface Term {
  readonly name: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  readonly at: number;
}

interface AnyTerm {
  readonly any: readonly Term[];
}

/** Throws Problem: 400. */
export const readTerms = (text: string): (Term | AnyTerm)[] => new Scanner(text).terms();

export const malformed = (at: number, what: string): Violation =>
  violation('parameter_invalid', { field: 'filter', reason: `at character ${at}: ${what}` });

const unreadable = (at: number, what: string): Problem => new Problem(malformed(at, what));

const hasMany = (operator: Operator) => operator === 'in' || operator === 'ni';

class Scanner {
  private readonly text: string;
  private at = 0;
  /** Within the brackets of `any`, where a bracket ends a value. */
  private isInAny = false;

  constructor(text: string) {
    this.text = text;
  }

  terms(): (Term | AnyTerm)[] {
    const terms = [this.termOrAny()];
    while (this.at < this.text.length) {
      this.at += 1; // The comma that ended the term before.
      terms.push(this.termOrAny());
    }
    return terms;
  }

  private termOrAny(): Term | AnyTerm {
    const term = this.match(/any\(/y) === '' ? this.term() : this.any();
    if (this.at < this.text.length && this.text[this.at] !== ',')
      throw unreadable(this.at + 1, 'a [,] or the end is expected after a quoted value');
    return term;
  }

  private any(): AnyTerm {
    const at = this.at - 'any('.length + 1;
    this.isInAny = true;
    const any: Term[] = [];
    do {
      any.push(this.term());
    } while (this.match(/,/y) !== '');
    this.isInAny = false;
    if (this.match(/\)/y) === '')
      throw unreadable(this.at + 1, 'a [,] or a [)] is expected after a condition of [any]');
    if (any.length < FEWEST_OF_ANY || any.length > MOST_OF_ANY)
      throw unreadable(at, `[any] takes ${FEWEST_OF_ANY} to ${MOST_OF_ANY} conditions`);
    return { any };
  }

  private term(): Term {
    const at = this.at + 1;
    if (this.isInAny && this.match(/any\(/y) !== '') throw unreadable(at, 'no [any] within [any]');
    const name = this.match(this.isInAny ? /[^[\]:,"|()]+/y : /[^[\]:,"|]+/y);
    if (name === '') throw unreadable(at, 'a field name is expected');
    const operator = this.operator();
    if (this.text[this.at] !== ':') throw unreadable(this.at + 1, 'a [:] is expected, then the value');
    this.at += 1;
    const values = [this.value(operator)];
    while (hasMany(operator) && this.text[this.at] === '|') {
      this.at += 1;
      values.push(this.value(operator));
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
    if (this.text[this.at] === '"') return this.quoted();
    const start = this.at;
    const plain = this.match(hasMany(operator) ? /[^,|]*/y : /[^,]*/y);
    const end = this.isInAny ? plain.search(/[()]/) : -1;
    const value = end < 0 ? plain : plain.slice(0, end);
    const quote = value.indexOf('"');
    if (quote >= 0) throw unreadable(start + quote + 1, 'a value that contains ["] must stand in quotes');
    if (plain[end] === '(')
      throw unreadable(start + end + 1, 'a value that contains [(] or [)] must stand in quotes within [any]');
    this.at = start + value.length;
    return value;
  }

  private quoted(): string {
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
