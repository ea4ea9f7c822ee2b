// Copies of all records of a garage. One plays the feed of changes from its start, the other begins with exports and
// lists, and goes on by the feed. Both have what the lists show.
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../support/client/client.ts';
import { type Desk, Fault } from '../desk.ts';
import { type Books, RESOURCES } from './books.ts';

/** What changes most. An export is a job, and one for each resource would take longer than all the rest of a month. */
const EXPORTED = ['order', 'orderline', 'payment', 'vehicle'];

class Copy {
  private readonly name: string;
  private readonly records = new Map<string, Map<unknown, Json>>(RESOURCES.map((name) => [name, new Map()]));
  private readonly versions = new Map<string, number>();
  private seq = 0;
  /** The cursor of the feed; empty at its start. */
  private after = '';

  constructor(name: string) {
    this.name = name;
  }

  /** Begins with exports and lists. It follows the feed from the first export on: a change may come again. */
  async load(desk: Desk, { lists }: Books): Promise<this> {
    for (const resource of EXPORTED) {
      const { text, after } = await desk.copy({ resource });
      const rows = text.split('\n').slice(0, -1);
      this.keep(
        resource,
        rows.map((row) => JSON.parse(row)),
      );
      this.after ||= after;
    }
    for (const [resource, records] of lists) if (!EXPORTED.includes(resource)) this.keep(resource, records);
    return this;
  }

  private keep(resource: string, records: readonly Json[]): void {
    for (const record of records) this.records.get(resource)?.set(record.id, record);
  }

  /** Plays the changes since the last time. The faults in their order. */
  async follow(desk: Desk): Promise<string[]> {
    const faults: string[] = [];
    for (let isMore = true; isMore; ) {
      const { status, data, body, text } = await desk.ask(
        'GET',
        `/changes?resource=${RESOURCES.join()}&expand=record&page_size=1000${this.after && `&after=${this.after}`}`,
      );
      if (status !== 200) throw new Fault(`GET /changes answered ${text}`);
      for (const change of data as Json[]) faults.push(...this.take(change));
      this.after = String(body.next);
      isMore = Boolean(body.has_more);
    }
    return faults;
  }

  private take({ seq, resource, id, version, record }: Json): string[] {
    const faults: string[] = [];
    if (Number(seq) <= this.seq) faults.push(`change ${seq} comes after change ${this.seq}`);
    this.seq = Number(seq);
    const key = `${resource} ${id}`;
    if (Number(version) <= (this.versions.get(key) ?? 0))
      faults.push(`${key} comes twice with version ${version}`);
    this.versions.set(key, Number(version));
    const records = this.records.get(String(resource));
    if (record === null) records?.delete(id);
    else records?.set(id, record as Json);
    return faults;
  }

  /** The records that differ from those of the lists. */
  differences({ lists }: Books): string[] {
    return [...this.records].flatMap(([resource, records]) => {
      const shown = lists.get(resource) ?? [];
      const differs = shown.filter((record) => !isDeepStrictEqual(record, records.get(record.id)));
      return differs.length === 0 && shown.length === records.size
        ? []
        : [
            `${this.name} differs in ${resource} ${differs.map(({ id }) => id).join()}, and has ${records.size} of ${shown.length}`,
          ];
    });
  }
}

const copies = new WeakMap<Desk, readonly Copy[]>();

/** The garage rests meanwhile. */
export async function feedFaults(desk: Desk, books: Books): Promise<string[]> {
  const own = copies.get(desk) ?? [
    new Copy('the played feed'),
    await new Copy('the mirror').load(desk, books),
  ];
  copies.set(desk, own);
  const faults: string[] = [];
  for (const copy of own) faults.push(...(await copy.follow(desk)), ...copy.differences(books));
  return faults;
}
