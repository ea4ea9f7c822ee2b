// The XML of e-invoices: any text comes back from a parser as it was.
import fc from 'fast-check';
import { XmlDocument } from 'libxml2-wasm';
import { xmlText } from '../../../../src/work/documents/einvoice/text.ts';
import { writeXml, xmlFile } from '../../../../src/work/documents/einvoice/xml.ts';
import { expect } from '../../../support/client/expect.ts';
import { LINES, readUbl } from '../../../support/files/ubl.ts';
import { line } from '../pdf/samples.ts';
import { xmlOf } from './samples.ts';

const NAMED = [
  '&Zn; ',
  '&amp;',
  '&#7;',
  '&#x1F;',
  ']]>',
  '<![CDATA[',
  '<!--',
  '<b>',
  '"',
  "'",
  '%pe;',
  '\r',
  '\t',
];
/** Characters of all kinds: halves of pairs, and characters with a meaning in XML among them. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...NAMED), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** The text and the attribute that a parser reads. */
function readBack(text: string): { content: string; attribute?: string } {
  const content = { 'x:text': { '@name': text, '#': text } };
  const xml = writeXml({ name: 'root', namespace: 'urn:root', prefixes: { x: 'urn:x' }, content });
  const document = XmlDocument.fromBuffer(xmlFile(xml));
  const element = document.get('//x:text', { x: 'urn:x' });
  const attribute = document.get('//x:text/@name', { x: 'urn:x' })?.content;
  const read = { content: String(element?.content), attribute };
  document.dispose();
  return read;
}

describe('the XML of an e-invoice', () => {
  it('holds any text, in elements and attributes', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(readBack(text)).to.deep.equal({ content: xmlText(text), attribute: xmlText(text) });
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every character but control characters and halves of pairs', () => {
    for (const text of [
      'Peters&Zn; Utrecht',
      'R&D; x &#7;',
      '&amp;amp;',
      ']]>',
      ' a\tb\nc ',
      '🚗\u00a0\u2028',
    ])
      expect(xmlText(text)).to.equal(text);
    expect(xmlText('a\0\x07\x1f\x7f\x85\ud800\ufffe\uffff\udc00b\r\nc\rd')).to.equal('ab\nc\nd');
  });

  it('has the texts of the records as they are', () => {
    const texts = ['Peters&Zn; Utrecht', 'R&D; x &#7;', ' &amp; ', 'a]]>b', '<!-- -->'];

    for (const text of texts) {
      const xml = xmlOf({ buyer: { company_name: text }, lines: [line({ description: text })] });
      const buyer = '//cac:AccountingCustomerParty//cbc:RegistrationName';
      expect(readUbl(xml, { buyer, name: LINES.name })).to.deep.equal({ buyer: [text], name: [text] });
    }
  });

  it('is no file unless a parser reads it', () => {
    for (const wrong of ['', '<a>', '<a>&Zn;</a>', '<a>&#7;</a>', '<a>\u0007</a>', '<a>\ufffe</a>'])
      expect(() => xmlFile(wrong), wrong).to.throw();
  });
});
