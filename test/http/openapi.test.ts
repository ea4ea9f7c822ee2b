// The description against the service: the same routes, and every real answer as it is described.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { endpoints } from '../../src/http/endpoints.ts';
import { send } from '../support/client.ts';
import { expect } from '../support/expect.ts';
import { theService } from '../support/service.ts';
import { type Stop, tour } from '../support/tour.ts';

interface Operation {
  operationId: string;
  parameters: { name: string; in: string }[];
  requestBody?: { content: { 'application/json': { schema: object } } };
  responses: Record<string, { content?: { 'application/json': { schema: object; example?: unknown } } }>;
}

describe('the OpenAPI document', () => {
  let document: { openapi: string; paths: Record<string, Record<string, Operation>> };
  let stops: Stop[];
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  before(async function () {
    this.timeout(60_000);
    document = (await send('GET', '/openapi.json')).body;
    ajv.addSchema(document, 'api');
    stops = await tour();
  });

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        key: `${method.toUpperCase()} ${path}`,
        path,
        method,
        operation,
      })),
    );
  const pointer = (...parts: string[]) =>
    `api#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

  it('needs no token, and names the version of the format', async () => {
    expect(document.openapi).to.equal('3.1.0');
  });

  it('describes each served method of each endpoint, and no other', () => {
    const served = endpoints().flatMap(({ path, methods }) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const described = operations().map(({ key }) => key.replace(/\/\{(id|name)\}$/, ''));

    expect([...new Set(described)].sort()).to.deep.equal([...served].sort());
  });

  it('describes each query parameter that is supported, and no other', () => {
    for (const { path, methods } of endpoints()) {
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        const found = operations().filter(
          ({ key }) => key.replace(/\/\{(id|name)\}$/, '') === `${method} ${path}`,
        );
        const names = found.flatMap(({ operation }) =>
          operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name),
        );
        expect([...new Set(names)].sort(), `${method} ${path}`).to.deep.equal(
          [...new Set(parameters)].sort(),
        );
      }
    }
  });

  it('has operations of different names', () => {
    const names = operations().map(({ operation }) => operation.operationId);

    expect(new Set(names).size).to.equal(names.length);
  });

  it('has a real example of every answer and every body', () => {
    const missing = operations().filter(({ operation, key }) => {
      const good = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
      // Countries are system records: nobody can change or delete one.
      return !good?.content?.['application/json'].example && !/^(PUT|DELETE) \/(country|\w+$)/.test(key);
    });

    expect(missing.map(({ key }) => key)).to.deep.equal([]);
  });

  it('holds for every answer of a tour through the service', () => {
    for (const stop of stops) {
      const parts = [
        'paths',
        stop.endpoint,
        stop.method.toLowerCase(),
        'responses',
        String(stop.answer.status),
        'content',
        'application/json',
        'schema',
      ];
      const valid = ajv.getSchema(pointer(...parts));
      expect(valid, `${stop.method} ${stop.endpoint} answered ${stop.answer.status}`).to.be.a('function');
      expect(
        valid?.(stop.answer.body),
        `${stop.method} ${stop.endpoint}: ${ajv.errorsText(valid?.errors)}`,
      ).to.equal(true);
    }
  });

  it('holds for every body of that tour', () => {
    for (const stop of stops.filter(({ body }) => body)) {
      const valid = ajv.getSchema(
        pointer(
          'paths',
          stop.endpoint,
          stop.method.toLowerCase(),
          'requestBody',
          'content',
          'application/json',
          'schema',
        ),
      );
      expect(
        valid?.(stop.body),
        `${stop.method} ${stop.endpoint}: ${ajv.errorsText(valid?.errors)}`,
      ).to.equal(true);
    }
  });

  it('is served with the test page from this host alone', async () => {
    const page = await send('GET', `${theService().url}/swagger/`);

    expect(page.status).to.equal(200);
    expect(page.text).not.to.match(/https?:\/\//);
    expect(page.headers.get('content-security-policy'))
      .to.include("default-src 'self'")
      .and.not.include('http');
    for (const [, file] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await send('GET', `${theService().url}/swagger/${file}`)).status, file).to.equal(200);
    }
    expect((await send('GET', `${theService().url}/swagger`)).headers.get('location')).to.equal('swagger/');
    expect(await send('GET', `${theService().url}/swagger/package.json`)).to.be.refused(
      400,
      'Invalid endpoint: [/swagger/package.json]',
    );
  });
});
