// The counts of a JSON text before it is parsed.
import { expect } from 'chai';
import fc from 'fast-check';
import { isWithinLimits, JSON_LIMITS } from '../../../src/core/model/bodies/json-scan.ts';

const { levels, nodes, keys } = JSON_LIMITS;
const isWithin = (text: string) => isWithinLimits(Buffer.from(text));
const names = (count: number) => Array.from({ length: count }, (_, number) => `"a${number}":1`).join();
const times = (text: string, count: number) => Array.from({ length: count }, () => text).join();

describe('the limits of JSON', () => {
  const AT_THE_LIMIT: [what: string, text: (most: number) => string, most: number][] = [
    ['levels', (most) => `${'['.repeat(most)}${']'.repeat(most)}`, levels],
    ['values in an array', (most) => `[${times('1', most)}]`, nodes],
    ['empty arrays', (most) => `[${times('[]', most / 2)}${most % 2 === 0 ? '' : ',1'}]`, nodes],
    ['names in an object', (most) => `{${names(most)}}`, keys],
    ['names in an object within another', (most) => `{"b":{${names(most)}}}`, keys],
  ];
  for (const [what, text, most] of AT_THE_LIMIT) {
    it(`are so many ${what}`, () => {
      expect(isWithin(text(most))).to.equal(true);
      expect(isWithin(text(most + 1))).to.equal(false);
    });
  }

  it('do not count names of many objects together', () => {
    expect(isWithin(`[${times(`{${names(60)}}`, 1_000)}]`)).to.equal(true);
  });

  it('do not count within strings', () => {
    const signs = '[{,:"\\\\'.repeat(nodes);

    expect(isWithin(JSON.stringify({ a: signs, b: '\\', c: 'é' }))).to.equal(true);
    expect(isWithin(`{"a":"\\"${'['.repeat(levels + 1)}"}`)).to.equal(true);
    expect(isWithin(`{"a":"\\\\"${'['.repeat(levels + 1)}`)).to.equal(false);
  });

  it('hold for any small value, and come to an end for any bytes', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => isWithin(JSON.stringify(value))));
    fc.assert(fc.property(fc.uint8Array(), (bytes) => typeof isWithinLimits(bytes) === 'boolean'));
  });
});
