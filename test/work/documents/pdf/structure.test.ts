// The PDF as a file: PDF/A, and a structure that screen readers follow.
import { XmlDocument } from 'libxml2-wasm';
import { renderDocument } from '../../../../src/work/documents/pdf/document.ts';
import { expect } from '../../../support/client/expect.ts';
import { readPdf, readStructure } from '../../../support/files/pdf.ts';
import { line, sample, VEHICLE } from './samples.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => line({ description: `Regel ${index + 1}.` }));

describe('the file of a document', () => {
  it('is a tagged PDF/A-3b with title, language and a profile of its colours', async () => {
    const bytes = await renderDocument(sample());
    const { info } = await readPdf(bytes, 'file');
    const text = bytes.toString('latin1');

    expect(info.get('Tagged')).to.equal('yes');
    expect(info.get('PDF version')).to.equal('1.7');
    expect(text).to.include('<pdfaid:part>3</pdfaid:part>').and.include('<pdfaid:conformance>B<');
    expect(text).to.include('/DisplayDocTitle true').and.include('/Lang (nl)');
    expect(text).to.include('/S /GTS_PDFA1').and.include('/Marked true');
    // All fonts are embedded, and no picture or text is transparent.
    expect(text.match(/\/FontFile2 /g)).to.have.length(2);
    expect(text).not.to.match(/\/SMask|\/ca 0|\/CA 0/);
  });

  it('has metadata that are XML, whatever the garage is called', async () => {
    const { info, text, metadata } = await named('Jansen & Zn <Auto> B.V.');
    expect(metadata).to.match(/^Jansen . Zn .Auto. B\.V\.$/);
    expect(info.get('Author')).to.equal(metadata);
    expect(text).to.include('Jansen & Zn <Auto> B.V.');

    for (const name of ['A&Zn; ', 'R&D &#7;', ']]>', '<!--', 'a\0\x07\ud800\ufffe\uffffb', '"\'', '&amp;'])
      expect((await named(name)).metadata, name).to.be.a('string');
  });

  /** The name as the PDF has it, and as a parser reads it in the metadata. */
  async function named(legal_name: string) {
    const bytes = await renderDocument(sample({ seller: { legal_name } }));
    const [xml = ''] = bytes.toString().match(/<x:xmpmeta[\s\S]*<\/x:xmpmeta>/) ?? [];
    const document = XmlDocument.fromString(xml);
    const metadata = document.get('//dc:creator', { dc: 'http://purl.org/dc/elements/1.1/' })?.content.trim();
    document.dispose();
    return { ...(await readPdf(bytes, 'xml')), metadata };
  }

  it('is read as heading, paragraphs and tables', async () => {
    const tree = await readStructure(await renderDocument(sample({ vehicle: VEHICLE })), 'structure');
    const flat = tree.replace(/\s+/g, ' ');

    expect(flat).to.include('H1 (block) "Factuur"');
    expect(flat).to.include('P (block) "Factuurnummer" "F202600007"');
    expect(flat).to.include('P (block) "Kenteken" "GB-001-B"');
    expect(flat).to.match(/THead TR TH: \/Scope \/Column "Omschrijving" TH: \/Scope \/Column "Aantal"/);
    expect(flat).to.match(
      /TBody TR TD "Motorolie 5W30 longlife" "Art. OL-5W30" TD "4,5" TD "l" TD "12,95" TD "21%" TD "58,28"/,
    );
    expect(flat).to.match(/TH: \/Scope \/Row "Totaal inclusief btw" TD "€ 70,52"/);
    // The parts that repeat on each page are not tagged as text.
    expect(flat).not.to.match(/Pagina|KvK/);
  });

  it('is one table over all pages, without the repeated heads', async () => {
    const tree = await readStructure(await renderDocument(sample({ lines: many(25) })), 'structure-pages');

    expect(tree.match(/"Omschrijving"/g)).to.have.length(1);
    expect(tree.match(/ {4}THead/g)).to.have.length(1);
    expect(tree.match(/"Regel \d+\."/g)).to.deep.equal(many(25).map(({ description }) => `"${description}"`));
    expect(tree).not.to.include('vervolg');
  });

  it('keeps a description together that spans pages', async () => {
    const words = Array.from({ length: 450 }, (_, index) => `woord${index}`);
    const tree = await readStructure(
      await renderDocument(sample({ lines: [line({ description: words.join(' ') })] })),
      'structure-long',
    );

    const [, cell = ''] = /TBody\s+TR\s+TD\s+((?:"[^"]*"\s+)+)TD/.exec(tree) ?? [];
    expect(cell.match(/woord\d+/g)).to.deep.equal(words);
  });
});
