// The writes that the service has acknowledged to the clients of a scene, and their comparison with the records at the
// end.

import type { Json } from '../../test/support/client/client.ts';
import type { Report } from '../chaos/report.ts';
import type { Scene } from './scene.ts';

/** The field of each resource that holds the mark of a POST. No unique key guards it. */
const MARKS = {
  order: 'reference',
  orderline: 'description',
  vehicleroleline: 'contract_number',
  contactcommunication: 'description',
} as const;
export type Marked = keyof typeof MARKS;

interface Entry {
  readonly resource: Marked;
  readonly mark: string;
  /** The fields as the last acknowledged request left them. */
  readonly fields: Json;
}

export class Ledger {
  private readonly entries = new Map<string, Entry>();
  private readonly refused: Entry[] = [];
  /** Requests that were never acknowledged, however often they were sent. */
  readonly unanswered: string[] = [];

  /** A POST was answered 201. */
  added(resource: Marked, mark: string, id: number): void {
    this.entries.set(`${resource} ${id}`, { resource, mark, fields: {} });
  }

  /** A POST was refused: nothing of it may be there. */
  refuse(resource: Marked, mark: string): void {
    this.refused.push({ resource, mark, fields: {} });
  }

  /** A PUT was answered 200. */
  changed(resource: Marked, id: number, fields: Json): void {
    const entry = this.entries.get(`${resource} ${id}`);
    if (entry) Object.assign(entry.fields, fields);
  }

  /** Compares with the records, which it also answers. */
  async check(report: Report, scene: Scene): Promise<Record<Marked, Json[]>> {
    const records = {} as Record<Marked, Json[]>;
    const found = { written: this.entries.size, lost: 0, changed: 0, doubled: 0, unwanted: 0 };
    for (const resource of Object.keys(MARKS) as Marked[]) {
      records[resource] = await scene.listAll(resource);
      const ids = new Map(records[resource].map((record) => [Number(record.id), record]));
      const marks = count(records[resource].map((record) => record[MARKS[resource]]));
      for (const [key, { resource: of, mark, fields }] of this.entries) {
        if (of !== resource) continue;
        const record = ids.get(Number(key.split(' ')[1]));
        if (!record || record[MARKS[resource]] !== mark) found.lost += 1;
        else if (Object.entries(fields).some(([name, value]) => record[name] !== value)) found.changed += 1;
        if ((marks.get(mark) ?? 0) > 1) found.doubled += 1;
      }
      found.unwanted += this.refused.filter(
        (entry) => entry.resource === resource && marks.has(entry.mark),
      ).length;
    }
    report.say(
      `  ${found.written} records acknowledged: ${found.lost} lost, ${found.changed} without their last change, ` +
        `${found.doubled} doubled; ${found.unwanted} of ${this.refused.length} refused ones are there`,
    );
    report.demand(
      found.lost + found.changed === 0,
      `${found.lost + found.changed} acknowledged writes are lost`,
    );
    report.demand(found.doubled === 0, `${found.doubled} records are there twice`);
    report.demand(found.unwanted === 0, `${found.unwanted} refused records are there`);
    const { length } = this.unanswered;
    report.demand(
      length === 0,
      `${length} requests were never acknowledged: ${this.unanswered.slice(0, 3).join('; ')}`,
    );
    return records;
  }
}

/** How often each value occurs. */
export function count<T>(values: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
