// A part, an hour of labour or anything else that is sold by the piece.
import { choice, flag, quantity, reference, varchar } from '../model/fields/field.ts';
import { record } from '../model/records/record.ts';

export class Article extends record(
  'article',
  {
    article_number: varchar(40, { required: true, unique: 'owner' }),
    description: varchar(255, { required: true, indexed: true }),
    article_kind: choice('articlekinds', { required: true, indexed: true }),
    unit_type: choice('unittypes', { required: true }),
    brand: varchar(60),
    ean: varchar(14, { indexed: true }),
    supplier_contact_id: reference('contact'),
    purchase_price: quantity({ min: 0 }),
    price: quantity({ required: true, min: 0 }),
    vat_code: choice('vatcodes', { required: true }),
    turnover_group_id: reference('turnovergroup', { required: true }),
    stock_quantity: quantity(),
    location: varchar(30),
    is_stock_item: flag(),
  },
  {
    description: 'An article: a part, labour or a surcharge',
    // The supplier says whom the garage buys from, and nothing about that person.
    about: 'nobody',
    folded: { own: ['article_number', 'ean', 'description', 'brand'] },
    search: {
      also: [],
      title: ({ article_number }) => article_number,
      subtitle: ({ description }) => description,
    },
  },
) {}
