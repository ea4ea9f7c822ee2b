// Lists of `any` whose ways each have an index: whatever the order, the page and the other conditions, they hold the
// records that the same conditions find one by one.
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

interface Contact {
  readonly id: number;
  readonly last_name: string;
  readonly city: string | null;
  readonly postcode: string | null;
  readonly payment_days: number | null;
  readonly is_customer: number;
}

const NAMES = ['Jansen', 'Bakker', 'Visser', 'De Vries'];
const CITIES = ['Utrecht', 'Breda', null];
const COUNT = 36;

/** `any`, what it means, and other conditions beside it. */
const ASKED: [filter: string, holds: (contact: Contact) => boolean][] = [
  ['any(last_name:Jansen,city:Utrecht)', (one) => one.last_name === 'Jansen' || one.city === 'Utrecht'],
  [
    'any(last_name[in]:Jansen|Visser,city[null]:1),is_customer:1',
    (one) => (/Jansen|Visser/.test(one.last_name) || one.city === null) && one.is_customer === 1,
  ],
  [
    'payment_days[ne]:8,any(last_name[like]:De*,postcode:3581kl)',
    (one) => one.payment_days !== 8 && (one.last_name === 'De Vries' || one.postcode === '3581 KL'),
  ],
  [
    'any(city:Breda,last_name:Bakker),any(is_customer:1,city:Utrecht)',
    (one) =>
      (one.city === 'Breda' || one.last_name === 'Bakker') &&
      (one.is_customer === 1 || one.city === 'Utrecht'),
  ],
  [
    'any(last_name[has]:vries,payment_days:8),any(city:Utrecht,last_name:Bakker)',
    (one) =>
      (one.last_name === 'De Vries' || one.payment_days === 8) &&
      (one.city === 'Utrecht' || one.last_name === 'Bakker'),
  ],
  ['any(last_name:Nobody,city:Nowhere)', () => false],
  [
    `any(last_name:Jansen,city:Utrecht),${Array(101).fill('payment_days[ne]:8').join()}`,
    (one) => one.payment_days !== 8 && (one.last_name === 'Jansen' || one.city === 'Utrecht'),
  ],
];

describe('the list of any, way by way', () => {
  let client: Client;
  const contacts: Contact[] = [];
  before(async () => {
    client = await newClient();
    for (let at = 0; at < COUNT; at += 1) {
      const contact = await build(client, 'contact', {
        last_name: NAMES[at % 4],
        city: CITIES[at % 3],
        postcode: at % 5 === 0 ? '3581 KL' : null,
        payment_days: at % 7 === 0 ? null : at % 9,
        is_customer: at % 2,
      });
      contacts.push(contact);
    }
  });

  const ask = (filter: string, more: string) =>
    client.get(`/contact?filter=${encodeURIComponent(filter)}&page_size=5&count=1${more}`);

  for (const [filter, holds] of ASKED)
    for (const sort of ['id', '-id', 'last_name,-id', '-payment_days', 'city,payment_days'])
      it(`finds ${filter.slice(0, 80)} by ${sort}`, async () => {
        const expected = contacts
          .filter(holds)
          .sort(by(sort))
          .map(({ id }) => id);

        const byCursor = await pages((last) => (last ? `&cursor=${last.next}` : ''));
        const byPage = await pages((last) => `&page=${(last?.page ?? 0) + 1}`);

        expect(byCursor).to.deep.equal(expected);
        expect(byPage).to.deep.equal(expected);

        /** The IDs of all pages. */
        async function pages(next: (last?: { next: string; page: number }) => string): Promise<number[]> {
          const { body } = await ask(filter, `&sort=${sort}${next()}`);
          const ids: number[] = body.data.map(({ id }: Contact) => id);
          for (let last = body; last.has_more; ) {
            expect(last.total).to.equal(expected.length);
            last = (await ask(filter, `&sort=${sort}${next(last)}`)).body;
            ids.push(...last.data.map(({ id }: Contact) => id));
          }
          return ids;
        }
      });
});

/** Compares contacts as `sort` says. Empty values come first. */
function by(sort: string): (a: Contact, b: Contact) => number {
  const keys = sort
    .split(',')
    .map((word) => ({ key: word.replace('-', ''), sign: word.startsWith('-') ? -1 : 1 }));
  const tie = { key: 'id', sign: keys.at(-1)?.sign ?? 1 };
  return (a, b) => {
    for (const { key, sign } of [...keys, tie]) {
      const [one, other] = [a, b].map((contact) => contact[key as keyof Contact]);
      if (one === other) continue;
      return sign * ((one ?? '') < (other ?? '') || one === null ? -1 : 1);
    }
    return 0;
  };
}
