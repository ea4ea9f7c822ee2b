// Valid and invalid identifiers: numbers, addresses and names.

import { expect } from 'chai';
import * as identifiers from '../../../src/core/trade/identity/identifiers.ts';

describe('identifiers', () => {
  judges('a trade register number', identifiers.isKvkNumber, {
    good: '12345678 00000001',
    bad: '1234567 123456789 1234567a',
    odd: ['', ' 12345678', '12345678\n'],
  });

  judges('an e-mail address', identifiers.isEmail, {
    good: `a@b.nl jan.de-vries+auto@sub.garage.nl o'neil@x.co info@müller.de a@xn--mller-kva.de`,
    bad: `a @b.nl a@ a@b a@@b.nl a@b@c.nl .a@b.nl a.@b.nl a..b@c.nl
      a@-b.nl a@b-.nl a@b..nl a@b.1 a@b.nl. <a@b.nl>`,
    odd: [
      '',
      'a b@c.nl',
      'a@b.nl\n',
      `${'a'.repeat(65)}@b.nl`,
      `a@${'b'.repeat(64)}.nl`,
      `a@${'b.'.repeat(73)}nl.`,
    ],
  });

  judges('a web address', identifiers.isUrl, {
    good: `https://garage.nl HTTP://garage.nl:8080/a?b=c#d http://10.0.0.1/x
      www.garage.nl garage.nl/auto müller.de`,
    bad: `garage http:// http://localhost ftp://garage.nl www..nl 12345 1.2 http://[::1]/ garage.nl\\x <b>.nl
      mailto:anna@garage.nl https://a:b@garage.nl javascript:alert(1) javascript://garage.nl/%0aalert(1)
      data:text/html,x.y`,
    odd: ['', 'www.garage .nl', 'www.garage.nl\n'],
  });

  judges('a time zone', identifiers.isTimezone, {
    good: 'Europe/Amsterdam UTC America/Argentina/Buenos_Aires',
    bad: 'Amsterdam Europe/Utrecht +01:00 local system',
    odd: ['', ' UTC'],
  });

  judges('a language', identifiers.isLanguage, {
    good: 'nl en nl-NL en-GB',
    bad: 'n NL xx nl-nl nl_NL nl-XX dutch',
    odd: ['', 'nl\n'],
  });

  judges('a vehicle identification number', (text) => identifiers.normaliseVin(text) === text, {
    good: 'WVWZZZ1JZXW000001 1M8GDM9AXKP042788',
    bad: `wvwzzz1jzxw000001 WVWZZZ1JZXW00000 WVWZZZ1JZXW0000011
      IVWZZZ1JZXW000001 OVWZZZ1JZXW000001 QVWZZZ1JZXW000001`,
    odd: ['', 'WVWZZZ1JZXW 00001'],
  });

  it('stores a vehicle identification number in capitals', () => {
    const texts = ['wvwzzz1jzxw000001', 'WVWZZZ1JZXW00000I', '\u017fVWZZZ1JZXW000001'];

    expect(texts.map(identifiers.normaliseVin)).to.deep.equal(['WVWZZZ1JZXW000001', undefined, undefined]);
  });

  it('stores an IBAN in its electronic form', () => {
    const stored = ['nl91 abna 0417 1643 00', 'DE89-3704-0044-0532-0130-00'].map(identifiers.normaliseIban);

    expect(stored).to.deep.equal(['NL91ABNA0417164300', 'DE89370400440532013000']);
  });

  it('refuses an IBAN with a wrong check digit, length, country or sign', () => {
    const wrong = [
      '',
      'NL92ABNA0417164300',
      'NL91ABNA041716430',
      'XX91ABNA0417164300',
      'NL91.ABNA.0417.1643.00',
    ];

    expect(wrong.filter(identifiers.normaliseIban)).to.deep.equal([]);
  });
});

interface Texts {
  good: string;
  bad: string;
  /** Bad numbers that hold white space, or are computed. */
  odd: string[];
}

function judges(noun: string, passes: (text: string) => boolean, { good, bad, odd }: Texts): void {
  it(`take ${noun}`, () => {
    expect(good.split(/\s+/).filter((text) => !passes(text))).to.deep.equal([]);
  });

  it(`refuse what is not ${noun}`, () => {
    expect([...bad.split(/\s+/), ...odd].filter(passes)).to.deep.equal([]);
  });
}
