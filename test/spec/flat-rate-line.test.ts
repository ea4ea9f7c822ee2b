// The specification's eleven conditions of POST/PUT /flatrateline, by both methods.
import { build } from '../support/build/build.ts';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { row } from './row.ts';
import type { Reason } from './rows.ts';

const TABLE = 'POST/PUT /flatrateline (all 403)';

interface Given {
  article_id: number;
  article_number: string;
}

/** Each condition with the values that it forbids, and the name in its text. */
const CONDITIONS: [
  reason: Reason<typeof TABLE>,
  body: (given: Given) => Json,
  ...values: (string | number)[],
][] = [
  ['article_id and quantity filled, turnovergroup missing', (article) => ({ ...article, quantity: 2 })],
  ['article_id filled and is_manual_input = 1', ({ article_id }) => ({ article_id, is_manual_input: 1 })],
  [
    'article_number and article_id filled and is_manual_input = 1',
    (article) => ({ ...article, is_manual_input: 1 }),
  ],
  ['is_no_article_price = 1 and no article_id', () => ({ is_no_article_price: 1, price: 10 })],
  ['article_number filled without is_manual_input and without article_id', () => ({ article_number: 'A-1' })],
  ['sort_order already exists', () => ({ sort_order: 7 }), 7],
  ['article_id filled and article_number missing', ({ article_id }) => ({ article_id })],
  [
    'article_number does not belong to article_id',
    ({ article_id }) => ({ article_id, article_number: 'A-2' }),
    'A-2',
  ],
  ['unit_type filled, article_kind missing', () => ({ unit_type: 1 })],
  ['article_kind filled, unit_type missing', () => ({ article_kind: 1 })],
];

describe('specification: flat rate lines', () => {
  let client: Client;
  let flatrate_id: number;
  let article: Given;
  before(async () => {
    client = await newClient();
    flatrate_id = (await build(client, 'flatrate')).id;
    await build(client, 'flatrateline', { flatrate_id, sort_order: 7 });
    const { id, article_number } = await build(client, 'article');
    article = { article_id: id, article_number };
  });

  const add = (body: Json) => client.post('/flatrateline', { flatrate_id, ...body });
  const change = async (body: Json) => {
    const { id } = await build(client, 'flatrateline', { flatrate_id, description: 'Grote beurt' });
    return client.put(`/flatrateline/${id}`, body);
  };

  for (const [method, write] of Object.entries({ POST: add, PUT: change })) {
    for (const [reason, body, ...values] of CONDITIONS) {
      row(TABLE, reason, method, async (says) => {
        expect(await write(body(article))).to.be.refused(...says(...values));
      });
    }

    const unpriced = 'is_no_article_price = 1 and price missing or 0';
    row(TABLE, unpriced, `${method}, missing`, async (says) => {
      expect(await write({ ...article, is_no_article_price: 1 })).to.be.refused(...says());
    });
    row(TABLE, unpriced, `${method}, 0`, async (says) => {
      expect(await write({ ...article, is_no_article_price: 1, price: 0 })).to.be.refused(...says());
    });

    row('Endpoints', 'POST / PUT | /flatrateline', method, async () => {
      const turnover_group_id = (await build(client, 'turnovergroup')).id;
      const complete = { ...article, turnover_group_id, quantity: 2, is_no_article_price: 1, price: 10 };

      const answer = await write({ ...complete, unit_type: 1, article_kind: 1 });

      expect(answer.status).to.equal(method === 'POST' ? 201 : 200);
      expect(answer.data).to.include({ ...complete, flatrate_id });
    });
  }
});
