// POST /order/{id}/flatrate: the lines of a flat rate are added to an order, all or none.
import { addFlatRate } from '../invoicing/flat-rate.ts';
import { reference } from '../model/field.ts';
import { findRecord } from '../model/find.ts';
import { form } from '../model/form.ts';
import { readExpand } from '../model/list-query.ts';
import { resourceNamed } from '../model/registry.ts';
import { recordJson } from '../model/search.ts';
import { demandRecord, refuseState } from '../model/store.ts';
import { type Answer, successJson } from './answer.ts';
import { readBody } from './body.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { etag } from './etag.ts';
import { once } from './once.ts';
import { primaryId } from './records.ts';

export const FLAT_RATE = form('flatrate', { flatrate_id: reference('flatrate', { required: true }) });

export const orderEndpoints: Endpoint[] = [
  { path: '/order/{id}/flatrate', methods: { POST: { handle: addLines } } },
];

async function addLines(call: Call): Promise<Answer> {
  const { identity, ctx } = call;
  const order = resourceNamed('order');
  const id = primaryId(call, 'primary_id_invalid');
  const body = await readBody(ctx.req);
  return once(call, body, async (session) => {
    refuseState(order, await demandRecord(session, order, identity.owner, id), {});
    await addFlatRate(session, identity.owner, id, FLAT_RATE.read(body).flatrate_id);
    const row = (await findRecord(session, order, identity.owner, id)) ?? {};
    const lines = readExpand(order, 'orderline');
    return successJson(await recordJson(session, order, identity.owner, row, order.columns, lines), 201, {
      ETag: etag(row),
    });
  });
}
