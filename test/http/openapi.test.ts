// The OpenAPI document matches the routes and every real answer. Besides, every answer of every test is compared with
// the document (test/support/client/seen-answers.ts).

import { readdir } from 'node:fs/promises';
import { operationsOf, parametersOf } from '../../src/http/endpoint.ts';
import { TAG as LONG_RUNNING } from '../../src/http/endpoints/long-running.ts';
import { endpoints } from '../../src/http/endpoints/table.ts';
import { send } from '../support/client/client.ts';
import { type Described, Description } from '../support/client/description.ts';
import { expect } from '../support/client/expect.ts';
import { type Stop, tour } from '../support/client/visit.ts';
import { database } from '../support/service/service.ts';

describe('the OpenAPI document', () => {
  let description: Description;
  let stops: Stop[];
  before(async function () {
    this.timeout(180_000);
    description = new Description((await send('GET', '/openapi.json')).body);
    stops = await tour();
  });

  /** The operation that describes a stop of the tour. */
  const describing = ({ method, endpoint }: Stop): Described => {
    const found = description.operations.find(({ key }) => key === `${method} ${endpoint}`);
    if (!found) throw new Error(`${method} ${endpoint} is not described`);
    return found;
  };

  /** The stops whose requests became jobs. */
  const accepted = () =>
    stops.filter(({ answer }) => answer.status === 202 && answer.headers.has('location'));

  it('has a request for each kind of job', async () => {
    const files = await readdir(new URL('../../../workers/', import.meta.url));
    const kinds = files.map((file) => file.replace('.ts', '')).filter((name) => name !== 'job');
    const jobs = await database()
      .knex('jobs')
      .distinct('kind')
      .whereIn(
        'id',
        accepted().map(({ answer }) => answer.data.job_id),
      );

    // The journal shares an endpoint with the export, which the tour visits once.
    expect([...jobs.map(({ kind }) => kind), 'journal']).to.have.members(kinds);
  });

  it('describes the call that ends every long-running request', () => {
    const called = [...new Set(accepted().map(describing))].flatMap(({ operation }) => {
      expect(operation.tags).to.deep.equal([LONG_RUNNING]);
      return Object.values(operation.callbacks ?? { none: {} });
    });

    expect(called).not.to.deep.equal([]);
    for (const callback of called) {
      const { get } =
        callback['{$request.body#/webhook_url}'] ?? callback['{$request.query.webhook_url}'] ?? {};
      expect(get?.parameters.map(({ name }) => name)).to.deep.equal([
        'id',
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ]);
    }
  });

  it('describes the children that a body may hold, and an upsert', () => {
    const upsert = description.operations.find(({ key }) => key === 'PUT /order')?.operation;
    const wrong = (orderline: unknown) =>
      description.wrongBody(description.operations.find(({ key }) => key === 'POST /order') as Described, {
        order_type: 1,
        order_date: '2026-05-01',
        contact_id: 1,
        orderline,
      });
    const line = { line_kind: 1, description: 'Olie', quantity: 1, price: 2, vat_code: 1 };

    expect([wrong([line]), wrong(Array(1000).fill(line))]).to.deep.equal([[], []]);
    for (const one of [[], Array(1001).fill(line), [{ ...line, order_id: 1 }], [{ ...line, price: 'x' }]])
      expect(wrong(one)).to.have.length(1);
    expect(Object.keys(upsert?.responses ?? {})).to.include.members(['200', '201', '412']);
  });

  it('says which day decides about the rates of VAT', () => {
    const { schemas } = description.document.components;
    const textOf = (schema: string, field: string) => schemas[schema]?.properties?.[field]?.description;

    expect(textOf('order', 'supply_date')).to.contain('the rates of VAT are those of this day');
    expect(textOf('orderNew', 'supply_date')).to.contain('the rates of VAT are those of this day');
    expect(textOf('orderline', 'vat_percentage')).to.contain('on the supply_date of the order');
  });

  it('needs no token, and is OpenAPI 3.1', () => {
    expect(description.document.openapi).to.equal('3.1.0');
  });

  it('describes exactly the methods of the endpoints', () => {
    const served = endpoints().flatMap(({ path, methods }) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const described = description.operations.map(endpointOf);

    expect([...new Set(described)].sort()).to.deep.equal([...served].sort());
  });

  it('describes exactly the supported parameters', () => {
    for (const endpoint of endpoints()) {
      const { path } = endpoint;
      for (const [method, operation] of operationsOf(endpoint)) {
        const parameters = parametersOf(operation);
        const found = description.operations.filter((one) => endpointOf(one) === `${method} ${path}`);
        const named = found
          .flatMap(({ operation }) => operation.parameters)
          .filter((parameter) => parameter.in === 'query' || parameters.includes(parameter.name));
        const names = new Set(named.map(({ name }) => name));
        expect([...names].sort(), `${method} ${path}`).to.deep.equal([...new Set(parameters)].sort());
      }
    }
  });

  it('writes "an order" and "a vehicle", and shows an example of every parameter in a path', () => {
    const summaries = description.operations.map(({ operation }) => operation.summary);
    const inPaths = description.operations.flatMap(({ operation, key }) =>
      operation.parameters.filter((one) => one.in === 'path').map((one) => ({ key, ...one })),
    );

    expect(summaries).to.include.members(['Add an order', 'Change an employee', 'Delete a vehicle']);
    expect(summaries.filter((one) => /\ba [aeio]|\ban [^aeio]/i.test(one))).to.deep.equal([]);
    expect(JSON.stringify(description.document)).not.to.match(/ of a [aeio]\w* *[".]/);
    expect(inPaths.filter(({ example }) => example === undefined).map(({ key }) => key)).to.deep.equal([]);
    expect(inPaths.find(({ key }) => key === 'GET /order/{id}')?.example).to.equal(5);
  });

  it('has operation names that stay distinct as functions and files, in one style', () => {
    const { operations, document } = description;
    const called = operations.flatMap(({ operation }) =>
      Object.values(operation.callbacks ?? {}).flatMap((addresses) => Object.values(addresses)),
    );
    const others = [...called, ...Object.values(document.webhooks)].flatMap((methods) =>
      Object.values(methods),
    );
    const ids = [...operations.map(({ operation }) => operation), ...others].map((one) => one.operationId);

    const files = ids.map((id) => id.replaceAll(/[_-]/g, '').toLowerCase());
    expect(ids.filter((_, index) => files.indexOf(files[index] ?? '') !== index)).to.deep.equal([]);
    const style = /^((list|read|add|change|delete)_[a-z]+(ById)?|event_[a-z]+|[a-z]+([A-Z][a-z]+)*)$/;
    expect(ids.filter((id) => !style.test(id))).to.deep.equal([]);
  });

  it('has a description of each operation and parameter', () => {
    const tags = description.document.tags.map(({ name }) => name);

    for (const { key, operation } of description.operations) {
      expect(tags, key).to.include.members(operation.tags);
      expect(operation.summary, key).to.match(/\w+ \w+/);
      expect(operation.description, key).to.match(/\w+ \w+/);
      for (const { name, description } of operation.parameters)
        expect(description, `${key} ${name}`).to.match(/\w+ \w+/);
    }
  });

  it('says of each operation that the disk may be full', () => {
    const silent = description.operations.filter(({ operation }) => !('507' in operation.responses));

    expect(silent.map(({ key }) => key)).to.deep.equal([]);
  });

  it('promises the headers and the refusals that come', () => {
    const answers = (wanted: string) =>
      description.operations.find(({ key }) => key === wanted)?.operation.responses as Record<
        string,
        { headers: object }
      >;

    for (const { key, operation } of description.operations) {
      const accepted = operation.responses['202'];
      if (accepted?.description.includes('at `Location`'))
        expect(accepted?.headers, key).to.have.property('Location');
    }
    expect(answers('POST /contact')?.['201']?.headers).to.have.property('Idempotent-Replayed');
    expect(JSON.stringify(answers('DELETE /job')?.['403'])).to.include('primary_id_missing');
    expect(JSON.stringify(answers('POST /timeentry/start')?.['403'])).to.include('value_too_long');
  });

  it('has a real example of every answer and every body', () => {
    const missing = description.operations.filter(({ operation, key }) => {
      const good = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
      // Countries are system records: nobody can change or delete one.
      return !good?.content?.['application/json'].example && !/^(PUT|DELETE) \/(country|\w+$)/.test(key);
    });

    expect(
      missing.map(({ key }) => key),
      'operations without an example: run make docs',
    ).to.deep.equal([]);
  });

  it('matches every answer of a tour through the service', () => {
    const wrong = stops.flatMap((stop) =>
      description.wrongAnswer(describing(stop), stop.answer.status, stop.answer.body),
    );

    expect(wrong).to.deep.equal([]);
    expect(new Set(stops.map(({ method, endpoint }) => `${method} ${endpoint}`)).size).to.be.above(70);
  });

  it('matches every request body of that tour', () => {
    const wrong = stops.flatMap((stop) =>
      stop.body ? description.wrongBody(describing(stop), stop.body) : [],
    );

    expect(wrong).to.deep.equal([]);
  });
});

const endpointOf = ({ key }: Described) => key.replace(/\/\{(id|name)\}$/, '');
