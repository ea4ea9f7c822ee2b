// The query of an endpoint as fields. One declaration gives its reader, the types of its values and its description.

import { form } from '../core/model/bodies/form.ts';
import { type Field, type Fields, type RowOf, varchar } from '../core/model/fields/field.ts';
import { requireParameters } from './middleware/query-parameters.ts';
import type { ParameterDoc } from './openapi/operation.ts';

export interface Query<F extends Fields = Fields> {
  readonly names: readonly string[];
  readonly required: readonly string[];
  /** For the description. */
  readonly shown: Readonly<Record<string, ParameterDoc>>;
  /** The values in stored form. Throws Problem: the required ones that are missing, or all wrong ones. */
  readonly read: (parameters: ReadonlyMap<string, string>) => RowOf<F>;
}

/** A text of any length: no address is longer. */
export const anyText = <const O extends NonNullable<Parameters<typeof varchar>[1]>>(options: O) =>
  varchar(16_384, options);

/** `shown` adds to the descriptions what the fields do not say. */
export function query<const F extends Fields>(
  fields: F,
  shown: Readonly<Record<string, Partial<ParameterDoc>>> = {},
): Query<F> {
  const { read } = form('query', fields);
  const all = Object.entries<Field>(fields);
  const required = all.flatMap(([name, field]) => (field.required ? name : []));
  return {
    names: Object.keys(fields),
    required,
    shown: Object.fromEntries(all.map(([name, field]) => [name, { ...shownAs(field), ...shown[name] }])),
    read: (parameters) => {
      requireParameters(parameters, required);
      return read(
        Object.fromEntries(all.flatMap(([name, field]) => given(name, field, parameters.get(name)))),
      );
    },
  };
}

/** The value as a body would have it. An empty number counts as missing. */
function given(name: string, { datatype, parse }: Field, text: string | undefined): [string, unknown][] {
  if (text === undefined || (datatype === 'int4' && text === '')) return [];
  return [[name, datatype === 'int4' ? (parse(text) ?? text) : text]];
}

function shownAs({ description = '', example, required, list, schema }: Field): ParameterDoc {
  const { type, format, minimum, maximum, enum: values } = schema;
  return {
    description,
    required: required === true,
    example,
    schema: {
      type,
      ...(format === undefined || format === 'text' ? {} : { format }),
      ...(minimum === undefined ? {} : { minimum, maximum }),
      // The description names a list, whose values `/util/list` serves.
      ...(values === undefined || list ? {} : { enum: values }),
    },
  };
}
