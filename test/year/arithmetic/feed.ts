// The feed of changes, played from its start, leads to the records that the lists show.
import type { Json } from '../../support/client/client.ts';
import type { Desk } from '../desk.ts';

const RESOURCES = [
  'contact',
  'vehicle',
  'vehicleroleline',
  'order',
  'orderline',
  'payment',
  'appointment',
  'timeentry',
  'tyreset',
  'document',
];

export async function feedFaults(desk: Desk): Promise<string[]> {
  const played = new Map<string, Map<unknown, unknown>>(RESOURCES.map((resource) => [resource, new Map()]));
  const faults: string[] = [];
  let seq = 0;
  for (let after = ''; ; ) {
    const { data, body } = await desk.ask(
      'GET',
      `/changes?resource=${RESOURCES.join()}&page_size=1000${after}`,
    );
    for (const change of data as Json[]) {
      if (Number(change.seq) <= seq) faults.push(`change ${change.seq} comes after change ${seq}`);
      seq = Number(change.seq);
      const records = played.get(String(change.resource));
      if (Number(change.version) <= Number(records?.get(change.id) ?? 0))
        faults.push(`${change.resource} ${change.id} comes twice with version ${change.version}`);
      if (change.action === 'deleted') records?.delete(change.id);
      else records?.set(change.id, change.version);
    }
    after = `&after=${body.next}`;
    if (!body.has_more) break;
  }
  for (const [resource, records] of played) {
    const shown = await desk.list(`/${resource}?fields=id&sort=id`);
    const differs = shown.filter(({ id }) => !records.has(id)).map(({ id }) => id);
    if (differs.length > 0 || shown.length !== records.size)
      faults.push(
        `the feed does not lead to the records of ${resource}: ${differs.join()} differ, ${shown.length} shown, ${records.size} played`,
      );
  }
  return faults;
}
