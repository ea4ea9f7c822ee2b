// The fields alone say which of them are personal; /model and the OpenAPI document show it.

import { anonymous } from '../../../src/business/privacy/personal-fields.ts';
import { allResources, resourceNamed } from '../../../src/core/model/records/registry.ts';
import { schemaName } from '../../../src/http/openapi/schema.ts';
import { newClient, send } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

describe('personal fields', () => {
  it('bear x-personal in the OpenAPI document, and no other field does', async () => {
    const { body } = await send('GET', '/openapi.json');

    for (const resource of allResources()) {
      const { name, fields, columns } = resource;
      const { properties } = body.components.schemas[schemaName(resource, 'show')];
      const marked = columns.filter((column) => properties[column]['x-personal'] === true);
      expect(marked, name).to.deep.equal(columns.filter((column) => fields.get(column)?.personal));
    }
  });

  it('bear personal in /model', async () => {
    const { data } = await (await newClient()).get('/model/contactcommunication');

    const named = (wanted: string) => data.fields.find(({ name }: { name: string }) => name === wanted);
    expect(named('value').personal).to.equal(true);
    expect(named('communication_type')).to.not.have.property('personal');
  });

  it('are emptied, or get what stands for them; an invoice keeps those that it prints', () => {
    const order = resourceNamed('order');
    const row = { id: 5, order_number: 7, reference: 'R', description: 'D', remarks_internal: 'I' };

    expect(anonymous(order, row)).to.deep.equal({
      ...row,
      reference: null,
      description: null,
      remarks_internal: null,
    });
    expect(anonymous(order, row, 'kept')).to.deep.equal({ ...row, remarks_internal: null });
    const company = { company_name: 'Jansen BV', first_name: null, last_name: null };
    expect(anonymous(resourceNamed('contact'), company)).to.deep.equal({
      ...company,
      company_name: 'Anoniem',
    });
  });
});
