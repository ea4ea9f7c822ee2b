// One way to fold texts: what people type, and what they mean.
import { expect } from 'chai';
import fc from 'fast-check';
import { FOLD, type Folding } from '../../../src/core/trade/text/fold.ts';

const SAME: readonly [Folding, string, readonly string[]][] = [
  // Case and accents, one character or two.
  ['text', 'zoe', ['Zoë', 'ZOË', 'zoe', 'Zoe\u0308', 'ｚｏë']],
  ['text', 'jose munoz', ['José Muñoz', 'JOSÉ MUÑOZ', 'jose\u00a0munoz', 'José\u2009Muñoz']],
  ['text', 'istanbul', ['İstanbul', 'ıstanbul', 'ISTANBUL', 'Istanbul']],
  ['text', 'nguyen', ['Nguyễn', 'NGUYỄN', 'Nguyên']],
  ['text', 'αθηνασ', ['Αθήνας', 'ΑΘΉΝΑΣ', 'αθηνας']],
  ['text', 'иван', ['Иван', 'ИВАН']],
  // Letters that no accent tells apart, and joined letters.
  ['text', 'strasse', ['Straße', 'STRASSE', 'STRAẞE', 'Straſse']],
  ['text', 'oresund', ['Øresund', 'ØRESUND']],
  ['text', 'crevecoeur', ['Crèvecœur', 'CRÈVECŒUR']],
  ['text', 'aero', ['Ærø', 'ÆRØ', 'Ǽrø']],
  ['text', 'lodz', ['Łódź', 'ŁÓDŹ']],
  ['text', 'dorde', ['Đorđe', 'Ðorðe']],
  ['text', 'ijmuiden', ['IJmuiden', 'Ĳmuiden', 'ĳmuiden']],
  ['text', 'fiets', ['ﬁets', 'FIETS']],
  // Signs that keyboards lack.
  ['text', "d'hondt", ["D'Hondt", 'D’Hondt', 'D‘Hondt']],
  ['text', 'a - b', ['A – b', 'A — B', 'a ‑ b']],
  // Codes: no spaces, no punctuation.
  ['code', 'zx123v', ['ZX-123-V', 'zx 123 v', 'Zx123V', 'zx.123/v']],
  ['code', '3581kl', ['3581 KL', '3581kl', '3581-KL']],
  ['code', 'nl91abna0417164300', ['NL91 ABNA 0417 1643 00', 'nl91abna0417164300']],
  ['code', 'mua12', ['MÜ-A 12', 'MU A12']],
  ['code', '31612', ['+31 612', '0031612'.slice(2)]],
  // Telephone numbers: one prefix.
  ['phone', '0612345678', ['06-12345678', '+31 6 12345678', '0031 6 12 34 56 78', '+31 (0)6 12345678']],
  ['phone', '0612345678', ['0031(0)612345678', '(+31) 6-12345678', '+31(0) 6.1234.5678', '＋31 6 12345678']],
  ['phone', '3247', ['+32 47', '32-47']],
  ['phone', '316', ['31 6', '316']],
  ['phone', '0', ['+31', '0031', '0']],
  ['phone', '0310', ['0310', '03-10']],
  // A way to reach a contact.
  ['contact', 'jan.jansen@x.nl', ['Jan.Jansen@X.nl', 'jan.jansen@x.nl']],
  ['contact', '0612', ['+31 6 12', '06-12']],
  ['contact', 'wwwgaragenl', ['www.garage.nl', 'WWW.GARAGE.NL']],
];

describe('folded texts', () => {
  for (const [folding, folded, texts] of SAME)
    it(`are the same ${folding}: ${folded} ${texts.join(' ')}`, () => {
      expect(texts.map(FOLD[folding])).to.deep.equal(texts.map(() => folded));
    });

  it('differ where letters differ', () => {
    const texts = ['Jansen', 'Janssen', 'Janson', 'Hansen', 'Jans en'];

    expect(new Set(texts.map(FOLD.text)).size).to.equal(texts.length);
  });

  it('stay as they are when they are folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const folding of ['text', 'code'] as const)
          expect(FOLD[folding](FOLD[folding](text))).to.equal(FOLD[folding](text));
      }),
    );
  });

  it('fold character by character, so a part of a text folds to a part of the folded text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        expect(FOLD.text(one + other)).to.equal(FOLD.text(one) + FOLD.text(other));
      }),
    );
  });
});
