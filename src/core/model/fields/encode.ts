// Makes JSON of stored values, one function for each kind of value. Imports no other part of the engine, so threads
// that only copy rows load nothing else.
import { type ListName, lowerNameOf } from '../../trade/lists.ts';
import { formatTimestamp } from '../../trade/time/timestamp.ts';
import type { Stored } from './field.ts';

/** The kind of a stored value that is not null. */
export type Kind = 'text' | 'json' | 'timestamp' | 'integer' | 'decimal' | NamedKind;

/** Kinds whose values are numbers of a list, shown by their names in lower case. */
export type NamedKind = 'jobstatus' | 'changeaction';
export const NAMED_LISTS: Readonly<Partial<Record<Kind, ListName>> & Record<NamedKind, ListName>> = {
  jobstatus: 'jobstatuses',
  changeaction: 'changeactions',
};

const POINT = 0x2e;
const ZERO = 0x30;
const WHOLE_INSTANT = 23;

type Encode = (stored: string | number) => string;

export const ENCODERS: Readonly<Record<Kind, Encode>> = {
  text: (stored) => JSON.stringify(stored),
  json: (stored) => String(stored),
  timestamp: (stored) => encodeTimestamp(String(stored)),
  integer: (stored) => String(stored),
  decimal: (stored) => encodeDecimal(String(stored)),
  jobstatus: (stored) => encodeName('jobstatus', Number(stored)),
  changeaction: (stored) => encodeName('changeaction', Number(stored)),
};

/** The JSON text of a stored value. */
export const encode = (kind: Kind, stored: Stored): string =>
  stored === null ? 'null' : ENCODERS[kind](stored);

const encodeName = (kind: NamedKind, stored: number) =>
  JSON.stringify(lowerNameOf(NAMED_LISTS[kind], stored) ?? 'unknown');

const encodeTimestamp = (stored: string) =>
  stored.length === WHOLE_INSTANT
    ? `"${stored.slice(0, 10)}T${stored.slice(11)}Z"`
    : `"${formatTimestamp(stored)}"`;

/** All digits but the zeros at the end. */
function encodeDecimal(stored: string): string {
  if (!stored.includes('.')) return stored === '-0' ? '0' : stored;
  let end = stored.length;
  while (stored.charCodeAt(end - 1) === ZERO) end -= 1;
  if (stored.charCodeAt(end - 1) === POINT) end -= 1;
  const short = stored.slice(0, end);
  return short === '-0' ? '0' : short;
}
