// A record that moves to another order by PUT: the order that it moves to decides, as on POST.
import { build } from '../../support/build/build.ts';
import { buildWorkshop, time } from '../../support/build/workshop.ts';
import { newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

describe('an appointment that moves to another order', () => {
  for (const [field, refusal] of [
    ['is_blocked', 'This is a blocked record, fields cannot be changed, only update: is_blocked'],
    ['is_archived', 'This is an archived record, fields cannot be changed, only update: is_archived'],
  ] as const)
    it(`is refused where the order has ${field} 1`, async () => {
      const client = await newClient();
      const shop = { ...(await buildWorkshop(client)), ...time('09:00', '10:00') };
      const { id: order_id } = await build(client, 'order', { [field]: 1 });
      const { id } = await build(client, 'appointment', shop);

      const [added, moved] = [
        await client.post('/appointment', { ...shop, order_id }),
        await client.put(`/appointment/${id}`, { order_id }),
      ];

      for (const answer of [added, moved]) expect(answer).to.be.refused(409, refusal);
      expect(moved.body.errors[0]).to.include({ resource: 'order', id: order_id });
      expect((await client.get(`/appointment/${id}`)).data.order_id).to.equal(null);
    });
});
