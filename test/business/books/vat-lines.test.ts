// GET /vatreturn/lines: the lines of each box, which add up to the box, page by page.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { BOXES } from '../../../src/core/trade/vat-box.ts';
import { countries, invoiceOn, setGarage } from '../../support/books/books.ts';
import { toCents } from '../../support/books/journal.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { ordertypes, linekinds, vatcodes, marginmethods, vatperiods } = LISTS;
const { VEHICLE, TRADE_IN } = linekinds;
const { LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, INTRA_COMMUNITY } = vatcodes;
const DAYS = 'from=2026-01-01&to=2026-12-31';

describe('the lines of the VAT return', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const list = async (query: string) => {
    const answer = await client.get(`/vatreturn/lines?${query}&${DAYS}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body;
  };

  const ask = (query: string) => client.get(`/vatreturn/lines?${query}&${DAYS}`);

  /** Sales and purchases with all kinds of lines. */
  const trade = async () => {
    const { de } = await countries();
    const german = await buildBuyer(client, { country_id: de, vat_number: 'DE136695976' });
    const dutch = await buildBuyer(client, { vat_number: 'NL004495445B01' });
    const { id: vehicle_id } = await build(client, 'vehicle');
    const cents = [{ price: 0.07 }, { price: 0.07 }, { price: 0.07 }, { price: 9.99, vat_code: LOW }];
    const tradeIn = { line_kind: TRADE_IN, quantity: -1 };
    await invoiceOn(client, '2026-01-05', [
      ...cents,
      { price: 5, vat_code: EXEMPT },
      { price: 7, vat_code: ZERO },
    ]);
    await invoiceOn(client, '2026-01-06', [
      ...cents,
      { ...tradeIn, price: 0.03 },
      { ...tradeIn, price: 0.03 },
    ]);
    await invoiceOn(
      client,
      '2026-02-01',
      [
        { price: 30, vat_code: REVERSE_CHARGE },
        { price: 1, vat_code: INTRA_COMMUNITY },
      ],
      {
        contact_id: german.id,
      },
    );
    await invoiceOn(client, '2026-02-02', [{ price: 40, vat_code: REVERSE_CHARGE }], {
      contact_id: dutch.id,
    });
    await invoiceOn(client, '2026-02-03', [
      { vehicle_id, line_kind: VEHICLE, vat_code: MARGIN, price: 10_950, purchase_price: 8500 },
      { vehicle_id, vat_code: MARGIN, price: -500 },
      { ...tradeIn, vat_code: MARGIN, price: 1000 },
    ]);
    const purchase = (lines: Json[], number: string, contact_id?: number) =>
      invoiceOn(client, '2026-03-01', lines, {
        order_type: ordertypes.VEHICLE_PURCHASE,
        purchase_proof: LISTS.purchaseproofs.SUPPLIER_INVOICE,
        supplier_invoice_number: number,
        ...(contact_id && { contact_id }),
      });
    await purchase(cents, '1');
    const charged = [
      { price: 0.07, vat_code: REVERSE_CHARGE },
      { price: 0.07, vat_code: REVERSE_CHARGE },
    ];
    await purchase(charged, '2', dutch.id);
    await purchase(charged, '3', german.id);
    await purchase([{ price: 500, vat_code: MARGIN }], '4');
  };

  const boxes = async () => (await client.get(`/vatreturn?${DAYS}`)).data;
  const sum = (lines: Json[], name: string) => lines.reduce((total, line) => total + toCents(line[name]), 0);

  it('add up to each box', async () => {
    await setGarage(client, { margin_method: marginmethods.INDIVIDUAL });
    await trade();
    const data = await boxes();

    for (const box of BOXES) {
      const { data: lines } = await list(`box=${box}`);
      expect([sum(lines, 'base'), sum(lines, 'vat')], box).to.deep.equal([
        toCents(data[box].base),
        toCents(data[box].vat),
      ]);
    }
    expect(data['1a'].vat).to.equal(0.04 + 0.05 + 338.43);
    expect((await list('box=3b')).data.map(({ base }: Json) => base)).to.deep.equal([30, 1]);
  });

  it('list the sales and purchases of a margin over periods, without base and VAT', async () => {
    await setGarage(client, { margin_method: marginmethods.GLOBAL, vat_period: vatperiods.YEAR });
    await trade();

    const { data } = await list('box=1a');

    const margins = data.filter(({ vat_code }: Json) => vat_code === MARGIN);
    expect(margins.map(({ line_net, base, vat }: Json) => [line_net, base, vat])).to.deep.equal(
      [10_950, -500, -1000, 500].map((net) => [net, null, null]),
    );
    const rest = (await boxes()).margin;
    expect(rest).to.include({ sales: 10_450, purchases: 1500, margin: 8950 });
  });

  it('come page by page, sorted by invoice date', async () => {
    for (const at of ['2026-03-01', '2026-02-01', '2026-01-01'])
      await invoiceOn(client, at, [{ price: 1 }, { price: 2 }]);
    const all = (await list('box=1a')).data;

    const seen: Json[] = [];
    let cursor = '';
    do {
      const page = await list(`box=1a&page_size=4${cursor}`);
      seen.push(...page.data);
      cursor = page.next === null ? '' : `&cursor=${page.next}`;
    } while (cursor !== '');

    expect(seen).to.deep.equal(all);
    const months = all.map(({ invoice_date }: Json) => String(invoice_date).slice(5, 7));
    expect(months.join()).to.equal('01,01,02,02,03,03');
    expect(await list('box=1a&page=2&page_size=4&count=1')).to.deep.include({
      ...{ data: all.slice(4), page: 2, page_size: 4, has_more: false, next: null, total: 6 },
    });
    expect(all[0]).to.include({ line_net: 1, base: 1, vat: 0.21, vat_code: 1 });
  });

  it('refuse an unknown box, and the cursor of another list', async () => {
    await invoiceOn(client, '2026-01-01', [{ price: 1 }, { price: 2 }]);
    const { next } = await list('box=1a&page_size=1');

    const unknown = 'Field: [box] has an invalid value: [9z] for validation: [boxes]';
    expect(await ask('box=9z')).to.be.refused(403, unknown);
    const missing = 'These parameter(s): [box] are required';
    expect(await client.get(`/vatreturn/lines?${DAYS}`)).to.be.refused(400, missing);
    const foreign = 'Parameter invalid [cursor] value is not a cursor of this list';
    expect(await ask(`box=5a&cursor=${next}`)).to.be.refused(400, foreign);
    expect(await ask('box=1a&cursor=abc')).to.be.refused(400, foreign);
    // MySQL refuses to compare with a day that does not exist.
    const [begin, , ...rest] = JSON.parse(Buffer.from(next, 'base64url').toString());
    const noDay = Buffer.from(JSON.stringify([begin, '2026-02-30 00:00:00.000', ...rest])).toString(
      'base64url',
    );
    expect(await ask(`box=1a&cursor=${noDay}`)).to.be.refused(400, foreign);
    expect(await (await newClient()).get(`/vatreturn/lines?box=1a&cursor=${next}&${DAYS}`)).to.be.refused(
      400,
      foreign,
    );
  });

  it('refuse a page together with a cursor, page 0 and a filter', async () => {
    await invoiceOn(client, '2026-01-01', [{ price: 1 }, { price: 2 }]);
    const { next } = await list('box=1a&page_size=1');

    expect(await ask(`box=1a&page=1&cursor=${next}`)).to.be.refused(
      400,
      'Parameter invalid [cursor] cannot be combined with [page]',
    );
    expect(await ask('box=1a&page=0')).to.be.refused(
      400,
      'Parameter invalid [page] value must be greater than 0',
    );
    expect(await ask('box=1a&filter=id:1')).to.be.refused(
      400,
      'Invalid request, query parameter is not supported: [filter]',
    );
  });
});
