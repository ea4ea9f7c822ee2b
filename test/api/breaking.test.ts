// The API only grows within a major version: today's OpenAPI document still has what each kept release had.
import { readdir, readFile } from 'node:fs/promises';
import { loadResources } from '../../src/core/model/records/registry.ts';
import { endpoints } from '../../src/http/endpoints/table.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { expect } from '../support/client/expect.ts';
import { breakingDifferences, type Json } from './breaking.ts';

const KEPT = new URL('../../../api/', import.meta.url);
const ADDRESS = { version: '1.0.0', url: 'https://garage.example/v2' };

// biome-ignore lint/suspicious/noExplicitAny: a test changes any part of a copy of the document
type Copy = any;

describe('the API of a release', () => {
  let today: Json;
  before(async () => {
    await loadResources();
    today = JSON.parse(JSON.stringify(openApiDocument(endpoints(), ADDRESS)));
  });

  /** The differences between today's document and a copy changed by `change`. */
  const differencesOf = (change: (copy: Copy) => void): string[] => {
    const copy: Copy = structuredClone(today);
    change(copy);
    return breakingDifferences(today, copy);
  };

  it('is still served today', async () => {
    const files = (await readdir(KEPT)).filter((name) => name.endsWith('.json'));
    for (const file of files) {
      const kept: Json = JSON.parse(await readFile(new URL(file, KEPT), 'utf8'));

      expect(breakingDifferences(kept, today), file).to.deep.equal([]);
    }
  });

  const BREAKING: readonly (readonly [what: string, change: (copy: Copy) => void, sentence: string])[] = [
    [
      'a removed field',
      ({ components }) => delete components.schemas.orderChange.properties.reference,
      '[reference] in the body of PUT /order/{id} is gone.',
    ],
    [
      'a removed field of an answer',
      ({ components }) => delete components.schemas.payment.properties.amount,
      '[data[].payment[].amount] in the answer 200 of GET /order is gone.',
    ],
    [
      'a narrowed type',
      ({ components }) => {
        components.schemas.orderNew.properties.mileage.type = ['integer'];
      },
      '[mileage] in the body of POST /order no longer takes null.',
    ],
    [
      'a wider type of an answer',
      ({ components }) => {
        components.schemas.payment.properties.amount.type = ['number', 'string'];
      },
      '[data[].payment[].amount] in the answer 200 of GET /order may now be string.',
    ],
    [
      'a narrower length',
      ({ components }) => {
        components.schemas.orderNew.properties.reference.maxLength = 30;
      },
      '[reference] in the body of POST /order has a narrower maxLength: 30.',
    ],
    [
      'a new required field',
      ({ components }) => {
        components.schemas.orderNew.required.push('reference');
      },
      '[reference] in the body of POST /order is required now.',
    ],
    [
      'a list of values that no longer takes null',
      ({ components }) => {
        const { properties } = components.schemas.orderNew;
        [properties.purchase_proof] = properties.purchase_proof.anyOf;
      },
      '[purchase_proof] in the body of POST /order no longer takes null.',
    ],
    [
      'a removed value beside null',
      ({ components }) => components.schemas.orderNew.properties.purchase_proof.anyOf[0].enum.pop(),
      '[purchase_proof] in the body of POST /order no longer has the value 3.',
    ],
    [
      'a removed list value',
      ({ components }) => {
        components.schemas.orderNew.properties.order_type.enum.pop();
      },
      '[order_type] in the body of POST /order no longer has the value 5.',
    ],
    [
      'a changed error text',
      ({ components }) => {
        components.schemas.error_code['x-error-texts'].token_invalid.text = 'Invalid token';
      },
      'Error token_invalid has another status or text: {"status":401,"text":"Invalid token"}.',
    ],
    [
      'a validation of another name',
      ({ components }) => {
        for (const response of Object.values<Copy>(components.responses))
          response.description = response.description.replaceAll('[invoiced order]', '[invoice]');
      },
      'No error names the validation [invoiced order] any more.',
    ],
    ['a removed path', ({ paths }) => delete paths['/order/credit'], 'POST /order/credit is gone.'],
    [
      'a new required parameter',
      ({ paths }) => {
        paths['/order/{id}'].put.parameters.push({ name: 'reason', in: 'query', required: true });
      },
      'PUT /order/{id} needs the query parameter [reason] now.',
    ],
  ];
  for (const [what, change, sentence] of BREAKING)
    it(`names ${what}`, () => {
      expect(differencesOf(change)).to.deep.equal([sentence]);
    });

  it('may write null among the types and values, or beside them', () => {
    const grown = differencesOf(({ components }) => {
      const { properties } = components.schemas.orderNew;
      const [{ type, ...one }] = properties.purchase_proof.anyOf;
      properties.purchase_proof = { ...one, type: [type, 'null'], enum: [...one.enum, null] };
    });

    expect(grown).to.deep.equal([]);
  });

  it('may grow by fields, list values, paths, errors and longer texts', () => {
    const grown = differencesOf(({ components, paths }) => {
      const { order, orderNew, error_code } = components.schemas;
      order.properties.colour = { type: 'string' };
      order.required.push('colour');
      orderNew.properties.colour = { type: ['string', 'null'] };
      orderNew.properties.reference.maxLength = 90;
      order.properties.order_type.enum.push(6);
      orderNew.properties.order_type.enum.push(6);
      error_code.enum.push('order_lost');
      error_code['x-error-texts'].order_lost = { status: 409, text: 'Order is lost' };
      paths['/order/find'] = paths['/order'];
    });

    expect(grown).to.deep.equal([]);
  });
});
