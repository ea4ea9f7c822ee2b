// The database finds a value by a regular expression in the texts in which the service finds it by folding them.
import { expect } from 'chai';
import fc from 'fast-check';
import { BaseModel } from '../../../src/core/model/statements/base-model.ts';
import { hasPattern } from '../../../src/core/model/statements/fragment.ts';
import { FOLD, type Folding, isAddress } from '../../../src/core/trade/text/fold.ts';
import { patternOf } from '../../../src/core/trade/text/pattern.ts';
import { useDatabase } from '../../business/seed/seeded.ts';

/** Letters of each kind: with accents in one character and in two, joined, of several, of other scripts; and signs. */
const LETTERS = [
  ...Array.from('aAàÅæÆeéfﬁﬃiİıjĳlłoØœsSßẞśtzþσςΣжЖ中😀'),
  ...[
    'e\u0301',
    'o\u0308',
    '-',
    '.',
    ' ',
    '\u00a0',
    '’',
    "'",
    '*',
    '\\',
    '[',
    ']',
    '^',
    '$',
    '(',
    '|',
    '%',
    '_',
    '!',
  ],
];
const DIGITS = Array.from('0136+(- )@.ab');
const VALUES = 150;
const TEXTS = 300;

const someOf = (characters: readonly string[], most: number) =>
  fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: most }).map((all) => all.join(''));

class SomeText extends BaseModel {
  static override tableName = 'some_texts';
  declare text: string;
}

describe('the pattern of a value', () => {
  const database = useDatabase();

  async function store(texts: readonly string[]): Promise<void> {
    const { schema } = database().knex;
    await schema.dropTableIfExists(SomeText.tableName);
    await schema.createTable(SomeText.tableName, (t) => void t.string('text', 100).collate('utf8mb4_bin'));
    await database()
      .knex(SomeText.tableName)
      .insert(texts.map((text) => ({ text })));
  }

  /** The stored texts that the database finds. */
  async function found(folding: Folding, value: string): Promise<string[]> {
    const { expression, replaced } = patternOf(folding, value);
    const rows = await SomeText.query(database().knex).where(hasPattern('text', expression, replaced));
    return rows.map(({ text }) => text).sort();
  }

  const isIn = (folding: Folding, value: string) => (text: string) => {
    if (folding !== 'contact') return FOLD[folding](text).includes(FOLD[folding](value));
    if (isAddress(value) && !isAddress(text)) return false;
    return FOLD.contact(text).includes(isAddress(text) ? FOLD.text(value) : FOLD.phone(value));
  };

  for (const [folding, characters] of [
    ['text', LETTERS],
    ['code', LETTERS],
    ['phone', DIGITS],
    ['contact', DIGITS],
  ] as const)
    it(`finds the texts that have the value, folded as ${folding}`, async () => {
      const texts = [...new Set(fc.sample(someOf(characters, 12), TEXTS))];
      const values = fc.sample(
        someOf(characters, 4).filter((text) => /[\p{L}\p{N}]/u.test(text)),
        VALUES,
      );
      await store(texts);

      const counts: number[] = [];
      for (const value of values) {
        const expected = texts.filter(isIn(folding, value)).sort();
        expect(await found(folding, value), value).to.deep.equal(expected);
        counts.push(expected.length);
      }

      expect(Math.max(...counts)).to.be.above(10);
    }).timeout(60_000);

  const EXAMPLES: readonly [Folding, string, readonly string[], readonly string[]][] = [
    ['text', 'ss', ['ß', 'aßb', 'sß', 'Straße'], ['s', 'ſ']],
    ['text', 'as', ['aß', 'ás'], ['æs', 'sa']],
    ['text', 'sse', ['aße', 'ßße'], ['se', 'ß e']],
    ['text', 'fi', ['ﬃ', 'ﬁ', 'fﬁ'], ['ﬀ', 'ﬂ']],
    [
      'phone',
      '0612',
      ['+31 6 12', '0031612', '+31 (0)612', '06-12', '+31 0612'],
      ['31612', '+32612', '6 12'],
    ],
    ['phone', '31', ['+31 31', '0631', '31'], ['+31 6', '0031-6']],
    ['phone', '+31', ['+31 6', '06'], ['+32 6', '31 6']],
    ['contact', 'a.b', ['A.B@x.nl', 'x-a-b', 'www.a.b'], ['ab@x.nl']],
  ];
  for (const [folding, value, inside, outside] of EXAMPLES)
    it(`finds the ${folding} ${value} in ${inside.join(' ')}, and not in ${outside.join(' ')}`, async () => {
      await store([...inside, ...outside]);

      expect(await found(folding, value)).to.deep.equal([...inside].sort());
    });
});
