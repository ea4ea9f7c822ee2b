// `like` with a fixed beginning reads a range of an index. Every text that begins so is in the range: also those that
// go on with a character which sorts before the space or behind U+FFFF.
import { enclosing } from '../../../src/core/model/lists/enclosing.ts';
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const ENDS = ['', '\0', '\0\0a', '\t', '\nb', '\u001f', ' c', '!', 'é', '\ud7ff', '\ue000', '\uffff', '🚗 d'];
const LAST = '\u{10ffff}';
/** Each ends where a range is easily wrong. */
const BEGINNINGS = [
  '\0',
  'Auto',
  'Auto\t',
  'Auto ',
  '🚗',
  '\ud7ff',
  '\ue000',
  '\uffff',
  LAST,
  `A${LAST}`,
  'A\0',
  'A!_%',
];

describe('like with a fixed beginning', () => {
  const found = async (client: Client, path: string, filter: string): Promise<Record<string, unknown>[]> => {
    const answer = await client.get(`/${path}?page_size=100&filter=${encodeURIComponent(filter)}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };

  for (const beginning of BEGINNINGS)
    it(`finds all texts that begin with ${JSON.stringify(beginning)}`, async () => {
      const client = await newClient();
      const texts = [...ENDS, LAST, LAST + LAST].map((end) => beginning + end);
      const expected = texts.filter((text) => !text.endsWith(' '));
      for (const company_name of [...expected, 'Aut', `a${beginning}`, 'AUTO', 'Autp', 'zz'])
        await build(client, 'contact', { company_name });

      for (const filter of [
        `company_name[like]:"${beginning}*"`,
        `any(company_name[like]:"${beginning}*",postcode:none)`,
      ]) {
        const names = (await found(client, 'contact', filter)).map(({ company_name }) => company_name);
        expect(names.sort(), filter).to.deep.equal([...expected].sort());
      }
    });

  it('looks through a reference as in the list itself', async () => {
    const client = await newClient();
    const { id: contact_id } = await build(client, 'contact', { company_name: 'Autohuis 🚗 Jansen' });
    const { id } = await build(client, 'order', { contact_id });

    const orders = await found(client, 'order', 'contact.company_name[like]:"Autohuis *"');

    expect(orders.map((order) => order.id)).to.deep.equal([id]);
  });

  it('has a range only if something stands before the first *', () => {
    expect(enclosing('Jan*sen')).to.deep.equal([`Jam${LAST}`, 'Jao']);
    expect([enclosing('*sen'), enclosing('Jansen'), enclosing('')]).to.deep.equal(Array(3).fill(undefined));
    expect([enclosing(`${LAST}*`), enclosing('\0*')]).to.deep.equal([[], []]);
  });
});
