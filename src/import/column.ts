// The columns of a CSV file: the fields of the resource, and its references by external_id.

import { violation } from '../errors.ts';
import { failure } from '../job-failure.ts';
import type { Field } from '../model/field.ts';
import type { Resource } from '../model/record.ts';
import { referenceByKey } from './reference.ts';

export interface Column {
  readonly name: string;
  /** The value as JSON has it; a cell that is no number stays a text, which the checks refuse. */
  readonly read: (cell: string) => unknown;
}

const SHOWN_CHARACTERS = 60;
/** As JSON writes it: no leading zero, no comma. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Throws a JobFailure: unknown, repeated and nameless columns. */
export function columnsOf(resource: Resource, line: number, header: readonly string[]): Column[] {
  const names = header.map((name) => name.trim());
  const refuse = (reason: string) => failure('file_refused', { line, reason });
  const nameless = names.indexOf('');
  if (nameless >= 0) throw refuse(`column [${nameless + 1}] has no name`);
  const unknown = names.find((name) => !resource.fields.has(name) && !referenceByKey(resource, name));
  if (unknown !== undefined) {
    const field = [...unknown].slice(0, SHOWN_CHARACTERS).join('');
    throw refuse(violation('field_unknown', { field }).message);
  }
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw refuse(`column [${repeated}] is there twice`);
  return names.map((name) => ({ name, read: reader(resource.fields.get(name)) }));
}

function reader(field: Field | undefined): Column['read'] {
  const type = field?.schema.type;
  if (type === 'integer' || type === 'number')
    return (cell) => (cell === '' ? null : NUMBER.test(cell) ? Number(cell) : cell);
  if (type === 'array' || type === 'object') return (cell) => (cell === '' ? null : parsedOr(cell));
  return (cell) => (cell === '' ? null : cell);
}

function parsedOr(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
