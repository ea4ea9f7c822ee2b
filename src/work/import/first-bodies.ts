// How many rows one batch takes, by the records in them.
import type { Body } from '../../core/model/bodies/check.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { childrenIn } from '../../core/model/writes/children.ts';
import type { FileRow } from './file-row.ts';

/** With their children. A row with more of them is a batch of its own. */
const MOST_RECORDS = 500;

/** The bodies of the first rows, with as many records as one batch may have. */
export function firstBodies(resource: Resource, rows: readonly FileRow[]): (Body | undefined)[] {
  const bodies: (Body | undefined)[] = [];
  let records = 0;
  for (const { read } of rows) {
    const body = read();
    records += body ? recordsIn(resource, body) : 1;
    if (bodies.length > 0 && records > MOST_RECORDS) break;
    bodies.push(body);
  }
  return bodies;
}

function recordsIn(resource: Resource, body: Body): number {
  const children = childrenIn(resource, body).map(({ name }) => body[name]);
  return children.reduce<number>((sum, some) => sum + (Array.isArray(some) ? some.length : 0), 1);
}
