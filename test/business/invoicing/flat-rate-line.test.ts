// A change of a flat rate line is checked as the line would become.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { PART } = LISTS.articlekinds;
const { PIECE } = LISTS.unittypes;

describe('a line of a flat rate', () => {
  let client: Client;
  let flatrate_id: number;
  let ofArticle: Json;
  before(async () => {
    client = await newClient();
    const { id, article_number, turnover_group_id } = await build(client, 'article');
    ofArticle = { article_id: id, article_number, turnover_group_id };
  });
  beforeEach(async () => {
    flatrate_id = (await build(client, 'flatrate')).id;
  });

  const line = (values: Json) => build(client, 'flatrateline', { flatrate_id, ...values });

  const PUTS: [string, Json, Json, string][] = [
    [
      'its turnover group is taken away',
      { quantity: 2 },
      { turnover_group_id: null },
      'Field: [turnover_group_id] is required and not supplied in request',
    ],
    [
      'it becomes manual input',
      {},
      { is_manual_input: 1 },
      'Field: [is_manual_input] has an invalid value [1]',
    ],
    [
      'its article number is taken away',
      {},
      { article_number: null },
      'Field: [article_number] is required and not supplied in request',
    ],
    [
      'its article number is another',
      {},
      { article_number: 'X' },
      'Field: [article_number] has an invalid value [X]',
    ],
    [
      'its article is taken away',
      {},
      { article_id: null },
      'Field: [article_id] is required and not supplied in request',
    ],
    [
      'it has no price of its own',
      {},
      { is_no_article_price: 1 },
      'Field: [price] is required and not supplied in request',
    ],
    [
      'its price becomes 0',
      { is_no_article_price: 1, price: 5 },
      { price: 0 },
      'Field: [price] has an invalid value [0]',
    ],
    [
      'it gets a unit without a kind',
      {},
      { unit_type: PIECE },
      'Field: [article_kind] is required and not supplied in request',
    ],
    [
      'its unit is taken away',
      { article_kind: PART, unit_type: PIECE },
      { unit_type: null },
      'Field: [unit_type] is required and not supplied in request',
    ],
    ['its place is taken', {}, { sort_order: 1 }, 'Field: [sort_order] has an invalid value [1]'],
  ];
  for (const [what, values, body, message] of PUTS) {
    it(`refuses a change of a line after which ${what}`, async () => {
      await line({ sort_order: 1, quantity: 1, price: 1 });
      const changed = await line({ ...ofArticle, sort_order: 2, ...values });

      expect(await client.put(`/flatrateline/${changed.id}`, body)).to.be.refused(403, message);
      expect((await client.get(`/flatrateline/${changed.id}`)).data).to.deep.equal(changed);
    });
  }
});
