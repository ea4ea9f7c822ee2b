// Flat rates: their total, the checks of their lines, and adding them to an order.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, read } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { waitingFor } from '../../support/database/at-once.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const { PART, LABOUR } = LISTS.articlekinds;
const { PIECE, HOUR } = LISTS.unittypes;
const { HIGH, LOW } = LISTS.vatcodes;

describe('a flat rate', () => {
  let client: Client;
  // biome-ignore lint/suspicious/noExplicitAny: records as they are answered
  let [flatrate, article, order]: any[] = [];
  beforeEach(async () => {
    client = await newClient();
    flatrate = await build(client, 'flatrate', { vat_code: LOW });
    article = await build(client, 'article', { price: 12.5, purchase_price: 8, vat_code: HIGH });
    order = await build(client, 'order', { contact_id: (await buildBuyer(client)).id });
  });

  const line = (values: Json) => build(client, 'flatrateline', { flatrate_id: flatrate.id, ...values });
  const ofArticle = (values: Json = {}) =>
    line({
      article_id: article.id,
      article_number: article.article_number,
      turnover_group_id: article.turnover_group_id,
      ...values,
    });
  const total = async () => (await client.get(`/flatrate/${flatrate.id}`)).data.total_net;
  const addTo = (id: number, body: unknown = { flatrate_id: flatrate.id }) =>
    client.post(`/order/${id}/flatrate`, body);

  it('sums up its lines, with the price of the article if a line has no price', async () => {
    const one = await ofArticle({ quantity: 2 });
    const two = await line({ quantity: 1.5, price: 80 });
    expect(await total()).to.equal(145);

    await client.put(`/flatrateline/${one.id}`, { price: 10 });
    expect(await total()).to.equal(140);
    await client.del(`/flatrateline/${two.id}`);
    expect(await total()).to.equal(20);
  });

  it('follows the price of an article if the line has no price', async () => {
    await ofArticle({ quantity: 2 });
    await ofArticle({ quantity: 1, price: 5 });
    expect(await total()).to.equal(30);

    await client.put(`/article/${article.id}`, { price: 20 });

    expect(await total()).to.equal(45);
    expect((await addTo(order.id)).data.total_net).to.equal(45);
  });

  it('follows a price that changes while a line gives up its own', async () => {
    const held = await build(client, 'flatrate');
    await ofArticle({ flatrate_id: held.id });
    const one = await ofArticle({ quantity: 2, price: 5 });
    const { owner } = client.garage;

    const begun = await database().transaction(async (session) => {
      // The change of the article has looked for lines, and waits for this flat rate.
      const row = [owner, held.id];
      await select(session, 'SELECT id FROM flatrates WHERE owner_id = ? AND id = ? FOR UPDATE', row);
      const pricing = client.put(`/article/${article.id}`, { price: 20 });
      await until(async () => (await waitingFor('flatrates')) > 0);
      let isDone = false;
      const emptying = client.put(`/flatrateline/${one.id}`, { price: null }).finally(() => {
        isDone = true;
      });
      await until(async () => isDone || (await waitingFor('articles')) > 0);
      // Not awaited here: they end when this transaction has.
      return { pricing, emptying };
    });

    expect([(await begun.pricing).status, (await begun.emptying).status]).to.deep.equal([200, 200]);
    expect(await total()).to.equal(40);
  });

  it('is written also if its total stays, because another node of a cluster sees no lock', async () => {
    const one = await ofArticle({ quantity: 1 });
    const locks = async () =>
      (await select(database(), 'SELECT lock_count FROM flatrates WHERE id = ?', [flatrate.id]))[0]
        ?.lock_count;
    const before = await locks();

    await client.put(`/flatrateline/${one.id}`, { price: 12.5 });

    expect(await total()).to.equal(12.5);
    expect(Number(await locks())).to.be.above(Number(before));
  });

  it('refuses a total that is too large for its column', async () => {
    const answer = await client.post('/flatrateline', {
      flatrate_id: flatrate.id,
      quantity: 2,
      price: 99_999_999_999_999,
    });

    expect(answer).to.be.refused(
      403,
      'Field: [total_net] has an invalid value: [199999999999998] for validation: [14 digits]',
    );
    expect(await total()).to.equal(0);
  });

  it('adds its lines without a number after the line with the largest number', async () => {
    await addLine(client, order.id, { sort_order: 2147483646 });
    for (const sort_order of [1, 2]) await ofArticle({ sort_order });

    const first = await addTo(order.id);
    const { status, data } = await addTo(order.id);

    expect([first.status, status]).to.deep.equal([201, 201]);
    const places = data.orderline.map(({ sort_order }: Json) => sort_order);
    expect(places).to.deep.equal([2147483646, 2147483647, null, null, null]);
  });

  it('adds its lines in the same sequence, after the lines of the order', async () => {
    await addLine(client, order.id, { sort_order: 7 });
    const hours = { unit_type: HOUR, quantity: 1.5, price: 80 };
    await line({ sort_order: 2, description: 'Work', article_kind: LABOUR, ...hours });
    await ofArticle({ sort_order: 1, article_kind: PART, unit_type: PIECE, quantity: 2 });

    const answer = await addTo(order.id);

    expect(answer.status, answer.text).to.equal(201);
    expect(answer.data).to.deep.equal(await read(client, order.id));
    expect(answer.data).to.include({ total_net: 245, total_vat: 37.05, total_gross: 282.05 });
    const [, part, work] = answer.data.orderline;
    const { article_number, description, turnover_group_id } = article;
    expect(part).to.include({
      ...{ sort_order: 8, line_kind: LISTS.linekinds.ARTICLE, quantity: 2, price: 12.5, unit_type: PIECE },
      ...{ article_id: article.id, article_number, purchase_price: 8, vat_code: HIGH },
      ...{ description, turnover_group_id },
    });
    expect(work).to.include({ sort_order: 9, line_kind: LISTS.linekinds.LABOUR, ...hours });
    expect(work).to.include({ description: 'Work', vat_code: LOW, article_id: null });
  });

  it('adds its lines behind a line without a number', async () => {
    const first = await addLine(client, order.id, { sort_order: null, description: 'First' });
    await line({ sort_order: 1, description: 'Work' });

    const answer = await addTo(order.id);

    const [one, added] = answer.data.orderline;
    expect([one.id, added.description, added.sort_order]).to.deep.equal([first.id, 'Work', null]);
  });

  it('takes kind, unit and price from the article if a line has none', async () => {
    const work = await build(client, 'article', { article_kind: LABOUR, unit_type: HOUR, price: 95 });
    const { article_number, turnover_group_id } = work;
    await line({ article_id: work.id, article_number, turnover_group_id, quantity: 2 });

    const { data } = await addTo(order.id);

    expect(data.orderline).to.have.length(1);
    expect(data.orderline[0]).to.include({
      ...{ line_kind: LISTS.linekinds.LABOUR, unit_type: HOUR, quantity: 2, price: 95 },
    });
  });

  it('adds VAT to its prices on an order with prices that include VAT', async () => {
    await client.put(`/order/${order.id}`, { is_vat_included: 1 });
    await ofArticle({ quantity: 2 });

    const { data } = await addTo(order.id);

    // 12.50 net is 15.125 with 21 %.
    expect(data.orderline[0]).to.include({ price: 15.125, line_gross: 30.25, line_net: 25 });
    expect(data).to.include({ total_net: 25, total_vat: 5.25, total_gross: 30.25 });
  });

  it('is added once for one Idempotency-Key', async () => {
    await line({ quantity: 1, price: 80 });
    const headers = { 'idempotency-key': 'flat-rate-once' };
    const post = () => client.post(`/order/${order.id}/flatrate`, { flatrate_id: flatrate.id }, headers);

    const [first, second] = [await post(), await post()];

    expect(second.text).to.equal(first.text);
    expect((await read(client, order.id)).orderline).to.have.length(1);
  });

  it('is added completely or not at all', async () => {
    await line({ sort_order: 1, quantity: 1, price: 80 });
    // With VAT it has more than the 14 digits that amounts have.
    await line({ sort_order: 2, quantity: 1, price: 95_000_000_000_000 });

    expect((await addTo(order.id)).status).to.equal(403);
    expect((await read(client, order.id)).orderline).to.deep.equal([]);
  });

  it('must have lines, and be neither blocked nor archived', async () => {
    expect(await addTo(order.id)).to.be.refused(
      403,
      'Field: [flatrateline] minimum 1 element is required in array',
    );
    await line({ quantity: 1, price: 80 });

    for (const state of ['is_blocked', 'is_archived']) {
      await client.put(`/flatrate/${flatrate.id}`, { [state]: 1 });
      expect(await addTo(order.id)).to.be.refused(
        403,
        `Field: [flatrate_id] has an invalid value: [${flatrate.id}] for validation: [not blocked, not archived]`,
      );
      await client.put(`/flatrate/${flatrate.id}`, { [state]: 0 });
    }
    expect((await addTo(order.id)).status).to.equal(201);
  });

  it('must exist, and the order must exist and be open to change', async () => {
    const stranger = await newClient();
    const strange = await build(stranger, 'flatrate');
    const unknown = (value: number) => `Field: [flatrate_id] value: [${value}] ID not found`;

    expect(await addTo(order.id, { foo: 1 })).to.be.refused(403, 'Field: [foo] not found in model');
    expect(await addTo(order.id, { flatrate_id: null })).to.be.refused(
      403,
      'Field: [flatrate_id] is required and not supplied in request',
    );
    expect(await addTo(order.id, { flatrate_id: strange.id })).to.be.refused(404, unknown(strange.id));
    expect(await stranger.post(`/order/${order.id}/flatrate`, { flatrate_id: strange.id })).to.be.refused(
      404,
      `Field: [id] value: [${order.id}] not found`,
    );
    await client.put(`/order/${order.id}`, { is_blocked: 1 });
    expect((await addTo(order.id)).status).to.equal(409);
  });
});
