// The layout of documents: languages, pages, long and strange texts, and the other types.

import { GLYPHS, isPrintable, printable } from '../../../../src/core/trade/identity/printable.ts';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import { renderDocument } from '../../../../src/work/documents/pdf/document.ts';
import { nameDocument } from '../../../../src/work/documents/pdf/draft.ts';
import { FONTS } from '../../../../src/work/documents/pdf/font.ts';
import { expect } from '../../../support/client/expect.ts';
import { readPdf } from '../../../support/files/pdf.ts';
import { line, sample, VEHICLE } from './samples.ts';

const { documenttypes, linekinds, vatcodes } = LISTS;

const read = async (name: string, changes: Parameters<typeof sample>[0] = {}) =>
  readPdf(await renderDocument(sample(changes)), name);
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => line({ description: `Regel ${index + 1}.` }));

describe('a document', () => {
  it('is in Dutch, or in English for a contact with another language', async () => {
    for (const [language, title] of [
      [null, 'Factuur'],
      ['', 'Factuur'],
      ['nl-BE', 'Factuur'],
      ['en', 'Invoice'],
      ['de', 'Invoice'],
    ] as const)
      expect(nameDocument(sample({ buyer: { language } })).title).to.equal(`${title} F202600007`);
  });

  it('writes amounts, dates and the prescribed words in English too', async () => {
    const lines = [
      line({ price: '1234.5000', line_net: '5555.25' }),
      line({ vat_code: vatcodes.MARGIN, line_net: '250.00' }),
      line({ vat_code: vatcodes.REVERSE_CHARGE }),
    ];

    const { text } = await read('english', {
      lines,
      buyer: { language: 'en-GB', vat_number: 'GB980780684' },
    });

    expect(text).to.include('Invoice date 6 May 2026');
    expect(text).to.include('1,234.50');
    expect(text).to.include('€ 5,555.25');
    expect(text).to.include('Margin scheme – second-hand goods (Bijzondere regeling – gebruikte goederen)');
    expect(text).to.include('VAT reverse charge (btw verlegd) to VAT number GB980780684');
    expect(text).to.include('Page 1 of 1');
  });

  it('spans pages, each with the table head and a page number', async () => {
    const { pages } = await read('sixty-lines', { vehicle: VEHICLE, lines: many(60) });

    expect(pages).to.have.length.above(2);
    pages.forEach((page, index) => {
      expect(page).to.include(`Pagina ${index + 1} van ${pages.length}`);
      expect(page.includes('Omschrijving'), page).to.equal(page.includes('Regel '));
    });
    const found = pages.join('').match(/Regel \d+\./g);
    expect(found).to.deep.equal(many(60).map(({ description }) => description));
  });

  it('wraps and keeps every word, however long names and descriptions are', async () => {
    const words = Array.from({ length: 300 }, (_, index) => `woord${index}`);
    const name = 'Łódzkie Přibyl & Ørsted Überlandverkehr België čeština ’s-Gravenhage '.repeat(2).trim();

    const { text } = await read('long-texts', {
      vehicle: { ...VEHICLE, model: 'Sprinter '.repeat(8).trim(), version_name: 'x'.repeat(120) },
      seller: { name, invoice_footer: words.join(' ') },
      buyer: { company_name: name, street: 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(2) },
      lines: [line({ description: words.slice(0, 30).join(' ') }), line({ description: 'y'.repeat(255) })],
    });

    for (const word of [...words, 'Łódzkie', 'Přibyl', 'Ørsted', 'België', 'čeština'])
      expect(text).to.include(word);
    expect(text.match(/y/g)).to.have.length.at.least(255);
  });

  it('leaves out emoji and hidden marks, and keeps all European letters', async () => {
    expect(printable('Ruit 😀 gesprongen ⚠️')).to.equal('Ruit gesprongen');
    expect(printable('👩‍🔧 Zoe\u0308 A\u030a é ë ö ø ł č €')).to.equal('Zoë Å é ë ö ø ł č €');
    expect(printable('a\u202eb\u0007\u200b\tc\r\nd')).to.equal('ab c\nd');
    expect(printable('１２ Ευρώπη Союз 王')).to.equal('12 Ευρώπη Союз ?');
    expect((await read('emoji', { lines: [line({ description: '🔧' })] })).pages).to.have.length(1);
  });

  it('takes a name as printable that the font has whole', () => {
    const codes = GLYPHS.split(' ').flatMap((range) => {
      const [from = 0, to = from] = range.split('-').map((code) => Number.parseInt(code, 16));
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    });

    for (const font of Object.values(FONTS))
      expect(codes).to.deep.equal([...font.characterSet].sort((one, other) => one - other));
    for (const name of [
      'Müller',
      'Łukasz Żółć',
      'Nguyễn Thị Hằng',
      'Nguyê\u0303n',
      'Ωμέγα',
      'Щука',
      'a\u200db',
    ])
      expect(isPrintable(name), name).to.equal(true);
    for (const name of ['محمد', '王伟', 'Jan 😀', 'שלום', 'अमित', '\u200b', ' '])
      expect(isPrintable(name), name).to.equal(false);
  });

  it('has text that can be copied and searched, whatever document came before', async () => {
    const letters = Array.from({ length: 0x17f - 0xa1 }, (_, index) => String.fromCodePoint(0xa1 + index));

    for (const font of Object.values(FONTS)) {
      // The i has the ı in it.
      font.layout('i');
      for (const letter of ['ı', ...letters.filter((one) => one !== '\u00ad')])
        expect(font.layout(letter).glyphs.map(({ codePoints }) => codePoints)).to.deep.equal([
          [letter.codePointAt(0)],
        ]);
    }
    const first = await read('accents', { buyer: { company_name: 'Özgür Škoda & Yıldız' } });
    const second = await read('no-accents', { buyer: { company_name: 'Oosterhof Schade zzp' } });
    expect(first.text).to.include('Özgür Škoda & Yıldız');
    expect(second.text).to.include('Oosterhof Schade zzp');
  });

  it('shows a text line over the whole width, without amounts', async () => {
    const note = line({ line_kind: linekinds.TEXT, description: 'Let op!', line_net: '0.00', vat_code: 2 });

    const { text } = await read('text-line', { lines: [line({ article_number: null }), note] });

    expect(text).to.match(/58,28 Let op! Art/);
    expect(text).not.to.include('9%');
  });

  it('shows no amounts as a work order, and has room for remarks and signatures', async () => {
    const { text } = await read('work-order', {
      type: documenttypes.WORK_ORDER,
      vehicle: VEHICLE,
      employee: 'Kees van Dam',
      order: { description: 'Tikkend geluid linksvoor' },
    });

    for (const shown of ['Werkordernummer 1207', 'Kees van Dam', '4 mei 2026, 08:30', 'Tikkend geluid'])
      expect(text).to.include(shown);
    for (const shown of ['Opmerkingen', 'Handtekening klant', 'Handtekening monteur'])
      expect(text).to.include(shown);
    expect(text).not.to.match(/12,95|58,28|€|%/);
  });

  it('has the order number as a quotation or a confirmation', async () => {
    const quotation = await read('quotation', { type: documenttypes.QUOTATION });
    const confirmation = await read('order-confirmation', { type: documenttypes.ORDER_CONFIRMATION });

    for (const shown of [
      'Offertenummer 1207',
      'Offertedatum 4 mei 2026',
      'Geldig tot 3 juni 2026',
      'Voor akkoord',
    ])
      expect(quotation.text).to.include(shown);
    for (const shown of ['Ordernummer 1207', 'Afspraak 4 mei 2026, 08:30'])
      expect(confirmation.text).to.include(shown);
    for (const { text } of [quotation, confirmation]) expect(text).not.to.match(/F2026|te betalen/);
  });

  it('names KvK and VAT number once on each page, and splits neither', async () => {
    const { pages } = await read('sixty-lines', { lines: many(60) });

    for (const page of pages) {
      expect(page.match(/KvK 12345678/g)).to.have.length(1);
      expect(page.match(/Btw-nummer NL004495445B01/g)).to.have.length(1);
      expect(page).to.match(/IBAN NL91 ABNA 0417 1643 00 \(BIC ABNANL2A\)/);
    }
  });

  it('leaves no footer alone on a page', async () => {
    // The payment fits on the first page, and no more than the payment.
    const seller = { invoice_footer: 'Voorwaarden\nvan\nBovag' };

    const { pages } = await read('footer', { lines: many(8), seller });

    expect(pages).to.have.length(2);
    expect(pages[1]).to.match(/verzoeken u .*Bovag/s);
  });

  it('has author, title and date as metadata, and is the same for the same data', async () => {
    const { info } = await read('invoice');

    expect(info.get('Title')).to.equal('Factuur F202600007');
    expect(info.get('Author')).to.equal('Autobedrijf De Brug B.V.');
    expect(info.get('CreationDate')).to.match(/^2026-05-0/);
    expect(info.get('Page size')).to.include('A4');
    expect(await renderDocument(sample())).to.deep.equal(await renderDocument(sample()));
  });

  it('has a file name of its number, in characters that every file system takes', () => {
    const named = (invoice_number: string) => nameDocument(sample({ order: { invoice_number } })).fileName;

    expect(named('F202600007')).to.equal('factuur-F202600007.pdf');
    expect(named('é/..\\202600007')).to.equal('factuur-e-202600007.pdf');
  });
});
