// Dutch plates in their fourteen shapes, and foreign ones.

import { expect } from 'chai';
import fc from 'fast-check';
import {
  normaliseDutchPlate,
  normaliseForeignPlate,
  plateKey,
} from '../../../src/core/trade/identity/license-plate.ts';

const SHAPES = `XX-99-99 99-99-XX 99-XX-99 XX-99-XX XX-XX-99 99-XX-XX 99-XXX-9
  9-XXX-99 XX-999-X X-999-XX XXX-99-X X-99-XXX 9-XX-999 999-XX-9`.split(/\s+/);

const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const digit = fc.constantFrom(...'0123456789');
const plate = fc
  .constantFrom(...SHAPES)
  .chain((shape) => fc.tuple(...[...shape].map((sign) => characterFor(sign))))
  .map((characters) => characters.join(''));

function characterFor(sign: string): fc.Arbitrary<string> {
  if (sign === '-') return fc.constant('-');
  return sign === 'X' ? letter : digit;
}

describe('a Dutch license plate', () => {
  it('is the same with and without dashes, in either case', () => {
    const both = (text: string) => [text, text.toLowerCase()];

    fc.assert(
      fc.property(plate, (text) => {
        const spellings = [...both(text), ...both(plateKey(text))];
        expect(spellings.map(normaliseDutchPlate)).to.deep.equal([text, text, text, text]);
      }),
    );
  });

  it('has no shape that looks like another without dashes', () => {
    const bare = SHAPES.map(plateKey);

    expect(new Set(bare).size).to.equal(14);
  });

  it('is refused when a dash is missing or in the wrong place', () => {
    const without = (text: string) => [text.replace('-', ''), text.replace(/-(?=[^-]*$)/, '')];
    const moved = (text: string) => [text.replace(/(\w)-/, '-$1'), text.replace(/-(\w)/, '$1-'), `${text}-`];

    fc.assert(
      fc.property(plate, (text) => {
        expect([...without(text), ...moved(text)].map(normaliseDutchPlate).filter(Boolean)).to.deep.equal([]);
      }),
    );
  });

  it('is refused in any other form', () => {
    const texts = ['', 'AB-12-3', 'AB123', 'ABC-123', 'ABCDEF', '123456', 'AB 12 34', ' AB1234', 'ÄB-12-34'];

    expect(texts.filter(normaliseDutchPlate)).to.deep.equal([]);
  });

  it('is not made of letters that only become Latin capitals', () => {
    const [longS, dotlessI] = ['\u017fb-12-34', '\u0131b-12-34'];

    expect(normaliseDutchPlate(longS)).to.equal(undefined);
    expect(normaliseDutchPlate(dotlessI)).to.equal(undefined);
  });
});

describe('a foreign license plate', () => {
  it('is stored in capitals, trimmed', () => {
    const plates = [' m-ab 1234 ', 'lö-x 1', '1-abc-234', 'O\u0308-X 1'].map(normaliseForeignPlate);

    expect(plates).to.deep.equal(['M-AB 1234', 'LÖ-X 1', '1-ABC-234', 'Ö-X 1']);
  });

  it('has 1 to 12 letters, digits, dashes and spaces, and is not only dashes', () => {
    const texts = [
      '',
      ' ',
      '- -',
      'ABCDEFGHIJKLM',
      'AB/12',
      'AB\t12',
      'AB_12',
      'ЖБ12',
      '😀1',
      'ABCDEFGHIJKß',
    ];

    expect(texts.filter(normaliseForeignPlate)).to.deep.equal([]);
  });

  it('is unique without dashes and spaces', () => {
    const keys = ['M-AB 1234', 'MAB-1234', 'MAB1234'].map(plateKey);

    expect(new Set(keys)).to.deep.equal(new Set(['MAB1234']));
  });
});
