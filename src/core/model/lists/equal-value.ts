// The values of `eq`, `ne`, `in` and `ni` are normalised as a write normalises them, so that `zx123v` finds ZX-123-V
// and 2.345 finds 2.35. A value may be stored in several forms: then one of them is enough.

import { isAddress } from '../../trade/text/fold.ts';
import type { Field, Stored } from '../fields/field.ts';
import { foldingOf } from '../fields/folding.ts';
import { keptAmount } from '../fields/value.ts';
import { searchTextOf } from '../records/search-text.ts';
import type { Condition, FieldCondition, Target } from './condition.ts';
import type { Operator } from './filter-term.ts';

/** The operators that ask for equal values or for no equal ones, each with its forms for one value and for several. */
const EQUALITY = {
  eq: ['eq', 'in'],
  in: ['eq', 'in'],
  ne: ['ne', 'ni'],
  ni: ['ne', 'ni'],
} as const satisfies Partial<Record<Operator, readonly [one: Operator, many: Operator]>>;
type Equality = keyof typeof EQUALITY;

export const isEquality = (operator: Operator): operator is Equality => operator in EQUALITY;

export function equal(target: Target, operator: Equality, values: readonly Stored[]): Condition {
  const { field, column, resource } = target;
  if (values.some((value) => typeof value !== 'string')) return { ...target, operator, values };
  const texts = values.map(String);
  const { ignoresCase, uniqueColumn } = field;
  if (ignoresCase) return { ...among(target, operator, texts), ignoresCase: true };
  if (foldingOf(column, field) === 'contact' && texts.some(isAddress)) {
    const ignoring = { ...among(target, operator, texts), ignoresCase: true } as const;
    if (EQUALITY[operator][0] === 'ne') return ignoring;
    // The same value is found on its own index, also before a value of the release before is folded.
    const folded = texts.map((text) => searchTextOf(resource, { [column]: text }));
    return { any: [among(target, operator, texts), { ...ignoring, folded }] };
  }
  const forms = texts.flatMap((text) => formsOf(field, text));
  if (!uniqueColumn?.isWhole) return among(target, operator, forms);
  const keys = forms.flatMap((form) => uniqueColumn.of(form, {}) ?? []);
  return among({ ...target, column: uniqueColumn.name }, operator, keys);
}

function formsOf(field: Field, text: string): readonly string[] {
  const { datatype, validation } = field;
  if (datatype === 'float8') return [keptAmount(field, text)];
  if (!validation) return [text];
  return (
    validation.formsOf?.(text) ?? [
      validation.normalise(text, {}) ?? text,
      ...(validation.otherForms?.(text) ?? []),
      text,
    ]
  );
}

function among(target: Target, operator: Equality, texts: readonly string[]): FieldCondition {
  const values = [...new Set(texts)];
  return { ...target, operator: EQUALITY[operator][values.length > 1 ? 1 : 0], values };
}
