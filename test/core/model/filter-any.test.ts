// Filters with `any`, and over a record that is referred to.
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const ask = (client: Client, resource: string, filter: string, more = '') =>
  client.get(`/${resource}?filter=${encodeURIComponent(filter)}${more}`);

describe('any', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
    await build(client, 'contact', { last_name: 'Jansen', city: 'Utrecht', is_customer: 1 });
    await build(client, 'contact', { last_name: 'Bakker', city: 'Utrecht', is_customer: 0 });
    await build(client, 'contact', { last_name: 'Jansen', city: 'Breda', is_customer: 0 });
    await build(client, 'contact', { last_name: 'De Vries (oud)', city: 'Zwolle, oost', is_customer: 1 });
  });

  const FOUND: [string, string[]][] = [
    ['any(last_name[has]:jansen,city:Utrecht)', ['Bakker', 'Jansen', 'Jansen']],
    ['any(last_name[has]:jansen,city:Utrecht),is_customer:1', ['Jansen']],
    ['is_customer:0,any(last_name:Jansen,city:Zwolle)', ['Jansen']],
    ['any(last_name[in]:Bakker|Jansen,city[like]:Zw*)', ['Bakker', 'De Vries (oud)', 'Jansen', 'Jansen']],
    ['any(city:Breda,last_name:"De Vries (oud)"),any(is_customer:1,city:x)', ['De Vries (oud)']],
    ['any(city:"Zwolle, oost",city[null]:1)', ['De Vries (oud)']],
    ['last_name[has]:vries (oud)', ['De Vries (oud)']],
    ['any(id:0,country.code:NL)', ['Bakker', 'De Vries (oud)', 'Jansen', 'Jansen']],
  ];
  for (const [filter, names] of FOUND)
    it(`finds ${filter}`, async () => {
      const { data, text } = await ask(client, 'contact', filter, '&count=1');
      expect(data?.map(({ last_name }: { last_name: string }) => last_name).sort(), text).to.deep.equal(
        names,
      );
    });

  it('goes on with a cursor', async () => {
    const filter = 'any(last_name:Jansen,city:Utrecht)';
    const first = await ask(client, 'contact', filter, '&page_size=2');

    const second = await ask(client, 'contact', filter, `&page_size=2&cursor=${first.body.next}`);

    expect([first.data, second.data].flat().map(({ city }: { city: string }) => city)).to.deep.equal([
      'Utrecht',
      'Utrecht',
      'Breda',
    ]);
  });

  const REFUSED: [string, string][] = [
    ['any(id:1)', 'at character 1: [any] takes 2 to 10 conditions'],
    [`any(${Array(11).fill('id:1').join()})`, 'at character 1: [any] takes 2 to 10 conditions'],
    ['id:1,any(id:1,any(id:1,id:2))', 'at character 15: no [any] within [any]'],
    ['any(id:1,id:2', 'at character 14: a [,] or a [)] is expected after a condition of [any]'],
    ['any(id:1,id:2)x', 'at character 15: a [,] or the end is expected after a quoted value'],
    [
      'any(city:a(b),id:1)',
      'at character 11: a value that contains [(] or [)] must stand in quotes within [any]',
    ],
    ['any()', 'at character 5: a field name is expected'],
    ['any(id:1,)', 'at character 10: a field name is expected'],
  ];
  for (const [filter, reason] of REFUSED)
    it(`refuses ${filter.slice(0, 40)}`, async () => {
      expect(await ask(client, 'contact', filter)).to.be.refused(400, `Parameter invalid [filter] ${reason}`);
    });

  it('refuses unknown fields and wrong values in it like others', async () => {
    expect(await ask(client, 'contact', 'any(name:x,id:1)')).to.be.refused(
      403,
      'Field: [name] not found in model',
    );
    expect(await ask(client, 'contact', 'any(id:x,id:1)')).to.be.refused(
      403,
      'Field: [id] has an invalid value: [x] for datatype: int4',
    );
  });
});

describe('a filter over a reference', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
    const jansen = await build(client, 'contact', { last_name: 'Jansen', city: 'Utrecht', payment_days: 8 });
    const visser = await build(client, 'contact', { last_name: 'Visser', city: null, payment_days: null });
    const car = await build(client, 'vehicle', { license_plate: 'ZX-123-V', mileage: 1000 });
    const order = (reference: string, more: object) => build(client, 'order', { reference, ...more });
    await order('A', { contact_id: jansen.id, vehicle_id: car.id, invoice_contact_id: visser.id });
    await order('B', { contact_id: visser.id, vehicle_id: null, invoice_contact_id: null });
    await order('C', { contact_id: jansen.id, vehicle_id: null, invoice_contact_id: null });
  });

  const FOUND: [string, string][] = [
    ['contact.last_name[has]:jansen', 'AC'],
    ['contact.last_name[has]:jansen,vehicle.license_plate:zx123v', 'A'],
    ['vehicle.license_plate:zx123v', 'A'],
    ['vehicle.license_plate[ne]:zx123v', 'BC'],
    ['vehicle.license_plate[ni]:zx123v|AA-11-11', 'BC'],
    ['vehicle.mileage[gt]:999', 'A'],
    ['vehicle.mileage[null]:1', 'BC'],
    ['vehicle.mileage[null]:0', 'A'],
    ['invoice_contact.last_name[like]:V*', 'A'],
    ['invoice_contact.city[null]:1', 'ABC'],
    ['contact.city[ne]:Utrecht', 'B'],
    ['contact.city[in]:Utrecht|Breda', 'AC'],
    ['contact.payment_days[lt]:10', 'AC'],
    ['any(contact.last_name:Visser,vehicle.license_plate:zx123v)', 'AB'],
    ['contact.id[gt]:0', 'ABC'],
  ];
  for (const [filter, references] of FOUND)
    it(`finds ${filter}`, async () => {
      const { data, text, body } = await ask(client, 'order', filter, '&count=1');
      expect(
        data
          ?.map(({ reference }: { reference: string }) => reference)
          .sort()
          .join(''),
        text,
      ).to.equal(references);
      expect(body.total).to.equal(references.length);
    });

  it('refuses what is not there', async () => {
    for (const name of [
      'contact.lastname',
      'orderline.price',
      'employee.password',
      'contact.country.code',
      'x.y',
      'contact.',
    ])
      expect(await ask(client, 'order', `${name}:x`), name).to.be.refused(
        403,
        `Field: [${name}] not found in model`,
      );
    for (const parameter of ['sort', 'fields'])
      expect(await client.get(`/order?${parameter}=contact.city`)).to.be.refused(
        403,
        'Field: [contact.city] not found in model',
      );
  });

  it('needs the right to read the record that is referred to', async () => {
    const user = await newClient({ allow: ['GET /order', 'GET /vehicle'], owner: client.garage.owner });

    expect(await ask(user, 'order', 'any(contact.city:x,invoice_contact.city:x)')).to.be.refused(
      403,
      'Endpoint: [GET /contact] is not allowed for this api_key',
    );
    expect((await ask(user, 'order', 'vehicle.license_plate:zx123v')).data).to.have.length(1);
  });

  it('never finds by a record of another owner', async () => {
    const other = await newClient();
    await build(other, 'order', { reference: 'D' });

    expect((await ask(other, 'order', 'contact.last_name:Jansen')).data).to.deep.equal([]);
  });
});
