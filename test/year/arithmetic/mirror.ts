// A mirror of the orders, filled by an export and kept by the feed behind it, has what the list shows.
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../support/client/client.ts';
import { type Desk, Fault } from '../desk.ts';

interface Mirror {
  readonly records: Map<unknown, unknown>;
  after: string;
}

const mirrors = new WeakMap<Desk, Mirror>();

export async function mirrorFaults(desk: Desk): Promise<string[]> {
  const mirror = mirrors.get(desk) ?? (await fill(desk));
  mirrors.set(desk, mirror);
  for (let isMore = true; isMore; ) {
    const { status, data, body, text } = await desk.ask(
      'GET',
      `/changes?resource=order&expand=record&page_size=1000&after=${mirror.after}`,
    );
    if (status !== 200) throw new Fault(`GET /changes answered ${text}`);
    for (const { id, record } of data as Json[])
      if (record === null) mirror.records.delete(id);
      else mirror.records.set(id, record);
    mirror.after = String(body.next);
    isMore = Boolean(body.has_more);
  }
  const shown = await desk.list('/order?sort=id');
  const differs = shown.filter((order) => !isDeepStrictEqual(order, mirror.records.get(order.id)));
  return differs.length === 0 && shown.length === mirror.records.size
    ? []
    : [
        `the mirror differs in the orders ${differs.map(({ id }) => id).join()}, and has ${mirror.records.size} of ${shown.length}`,
      ];
}

async function fill(desk: Desk): Promise<Mirror> {
  const { text, after } = await desk.copy({ resource: 'order' });
  const rows = text.split('\n').slice(0, -1);
  return {
    after,
    records: new Map(rows.map((row) => JSON.parse(row)).map((record) => [record.id, record])),
  };
}
