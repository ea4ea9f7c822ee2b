// The form of usernames: letters that look alike make no second name.
import { expect } from 'chai';
import {
  comparableUsername,
  normaliseUsername,
  usernamesOf,
} from '../../../src/core/trade/identity/username.ts';

const CYRILLIC_A = '\u0430';

describe('a username', () => {
  const same: Record<string, string> = {
    'Anna.de-Vries_2+x@garage.nl': 'anna.de-vries_2+x@garage.nl',
    // Full width letters, a ligature, the sign of Kelvin, an accent as a character of its own.
    Ａｎｎａ１: 'anna1',
    ﬁen: 'fien',
    '\u212Aees': 'kees',
    'Zoe\u0308': 'zoë',
    STRASSE: 'strasse',
    Straße: 'straße',
    // Lower case is not Turkish: a dotless i stays another letter.
    Ilk: 'ilk',
    ılk: 'ılk',
    АННА: 'анна',
    Άννα: 'άννα',
    佐藤ひろし: '佐藤ひろし',
    김민준: '김민준',
    علي٢: 'علي٢',
  };
  for (const [given, stored] of Object.entries(same))
    it(`is stored as ${stored} if ${given} is given`, () => {
      expect(normaliseUsername(given)).to.equal(stored);
    });

  const refused = {
    'a space': 'anna de vries',
    'a letter of another script': `${CYRILLIC_A}nna`,
    'a digit of another script': 'anna٢',
    'a dot above that no letter takes in': 'İlk',
    'an invisible character': 'an\u200Bna',
    'a picture': 'anna😀',
    'a line break': 'anna\n',
    nothing: '',
  };
  for (const [what, name] of Object.entries(refused))
    it(`is refused with ${what}`, () => {
      expect(normaliseUsername(name)).to.equal(undefined);
    });

  it('is the same when it is normalised again, whatever its letters', () => {
    const unstable: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const name = normaliseUsername(String.fromCodePoint(code));
      if (name !== undefined && normaliseUsername(name) !== name) unstable.push(code.toString(16));
    }

    expect(unstable).to.deep.equal([]);
  });

  it('is only put in lower case if it is too long: NFKC of many accents takes minutes', () => {
    const long = `Ａ${'\u0301\u0323'.repeat(500)}`;

    expect(comparableUsername(long)).to.equal(long.toLowerCase());
  });

  it('may also mean a name that an earlier version stored', () => {
    expect(usernamesOf('Ａnna')).to.deep.equal(['ａnna', 'anna']);
    expect(usernamesOf('Anna')).to.deep.equal(['anna']);
  });
});
