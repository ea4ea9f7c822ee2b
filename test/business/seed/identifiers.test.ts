// The identifiers of seeded records are valid, and no plate or VIN comes twice.
import { expect } from 'chai';
import {
  belgianPlate,
  dutchPlate,
  ean,
  germanPlate,
  iban,
  vatNumber,
  vin,
} from '../../../src/business/seed/identifiers.ts';
import type { Land } from '../../../src/business/seed/names.ts';
import { Random } from '../../../src/business/seed/random.ts';
import { normaliseIban, normaliseVin } from '../../../src/core/trade/identity/identifiers.ts';
import {
  normaliseDutchPlate,
  normaliseForeignPlate,
  plateKey,
} from '../../../src/core/trade/identity/license-plate.ts';
import { normaliseVatNumber } from '../../../src/core/trade/identity/vat-number.ts';

const SERIALS = Array.from({ length: 20_000 }, (_, index) => index * 67 + 1);
const LANDS: readonly Land[] = ['NL', 'BE', 'DE'];

describe('identifiers of seeded records', () => {
  it('include Dutch plates of all fourteen shapes', () => {
    const years = [1960, 1970, 1975, 1985, 1995, 2002, 2007, 2012, 2018, 2021, 2025];
    const plates = [
      ...years.map((year) => dutchPlate(7, year)),
      ...[1, 2, 3].map((serial) => dutchPlate(serial, 2020, true)),
    ];

    expect(plates.map(normaliseDutchPlate)).to.deep.equal(plates);
    expect(new Set(plates.map(shapeOf))).to.have.lengthOf(14);
  });

  it('have no plate twice', () => {
    const random = new Random('plates');
    const plates = SERIALS.flatMap((serial) => [
      ...[1975, 1995, 2018].map((year) => dutchPlate(serial, year)),
      belgianPlate(serial),
      germanPlate(serial, random),
    ]);

    expect(new Set(plates.map(plateKey))).to.have.lengthOf(plates.length);
    expect(plates.filter((plate) => normaliseForeignPlate(plate) !== plate)).to.deep.equal([]);
  });

  it('have no VIN twice', () => {
    const vins = SERIALS.map((serial) => vin(serial, 'WVW', 1981 + (serial % 45)));

    expect(vins.filter((one) => normaliseVin(one) !== one)).to.deep.equal([]);
    expect(new Set(vins)).to.have.lengthOf(vins.length);
  });

  it('have check digits', () => {
    const random = new Random('3');
    const ibans = LANDS.flatMap((land) => SERIALS.slice(0, 200).map(() => iban(random, land)));
    const vats = LANDS.flatMap((land) => SERIALS.slice(0, 200).map(() => vatNumber(random, land)));

    expect(ibans.map(normaliseIban)).to.deep.equal(ibans);
    expect(vats.map(normaliseVatNumber)).to.deep.equal(vats);
    expect(SERIALS.slice(0, 200).map(() => remainderOf(ean(random)))).to.deep.equal(Array(200).fill(0));
  });
});

const shapeOf = (plate: string) => plate.replace(/[A-Z]/g, 'X').replace(/\d/g, '9');

const remainderOf = (code: string) =>
  [...code].reduce((sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3), 0) % 10;
