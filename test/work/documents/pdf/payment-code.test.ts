// The QR code for payment: where it is, and what a phone reads from the printed page.

import { LISTS } from '../../../../src/core/trade/lists.ts';
import { renderDocument } from '../../../../src/work/documents/pdf/document.ts';
import { transferText } from '../../../../src/work/documents/pdf/payment-code.ts';
import { expect } from '../../../support/client/expect.ts';
import { readCode, readStructure } from '../../../support/files/pdf.ts';
import { line, sample } from './samples.ts';

const { documenttypes, ordertypes } = LISTS;

const codeOf = async (name: string, changes: Parameters<typeof sample>[0] = {}) =>
  readCode(await renderDocument(sample(changes)), `code-${name}`);

/** The code is the only figure of a document without a logo. */
async function figuresOf(name: string, changes: Parameters<typeof sample>[0] = {}): Promise<number> {
  const tree = await readStructure(await renderDocument(sample(changes)), `code-${name}`, false);
  return tree.match(/Figure/g)?.length ?? 0;
}

const TRANSFER = {
  iban: 'NL91ABNA0417164300',
  bic: 'ABNANL2A',
  name: 'Autobedrijf De Brug B.V.',
  amount: '70.52',
  remittance: 'F202600007',
};
const TEXT = [
  ...['BCD', '002', '1', 'SCT', 'ABNANL2A', 'Autobedrijf De Brug B.V.', 'NL91ABNA0417164300', 'EUR70.52'],
  ...['', '', 'F202600007'],
].join('\n');

describe('the QR code for payment', () => {
  it('is read from the page as EPC069-12 defines the text', async () => {
    expect(await codeOf('invoice')).to.equal(TEXT);
  });

  it('asks for the amount that is open, and knows accents', async () => {
    const code = await codeOf('open', {
      seller: { legal_name: 'Société Générale des Électriciens & Ørsted', bic: null },
      payment: { paid: '20.00', offset: '0.00', amount_open: '50.52' },
    });

    expect(code).to.include(
      '\nSCT\n\nSociété Générale des Électriciens & Ørsted\nNL91ABNA0417164300\nEUR50.52\n',
    );
  });

  it('names the seller by its name if the legal name is blank', async () => {
    const code = await codeOf('blank', { seller: { name: 'Autobedrijf De Brug', legal_name: ' ' } });

    expect(code?.split('\n')[5]).to.equal('Autobedrijf De Brug');
  });

  it('is where the buyer has to pay, and nowhere else', async () => {
    const credit = { order_type: ordertypes.INTERNAL_REVERSAL };
    const without: [string, Parameters<typeof sample>[0]][] = [
      ['no-iban', { seller: { iban: null } }],
      ['credit', { order: credit, lines: [line({ quantity: '-1.0000', line_net: '-58.28' })] }],
      ['nothing', { lines: [line({ line_net: '0.00' })] }],
      ['paid', { payment: { paid: '70.52', offset: '0.00', amount_open: '0.00' } }],
      ['purchase', { isSelfBilled: true }],
      ['quotation', { type: documenttypes.QUOTATION }],
      ['confirmation', { type: documenttypes.ORDER_CONFIRMATION }],
      ['work-order', { type: documenttypes.WORK_ORDER }],
    ];

    expect(await figuresOf('invoice')).to.equal(1);
    for (const [name, changes] of without) expect(await figuresOf(name, changes), name).to.equal(0);
  });

  it('keeps to the lengths and amounts of the standard', () => {
    const lineOf = (changes: Partial<typeof TRANSFER>, index: number) =>
      transferText({ ...TRANSFER, ...changes })?.split('\n')[index];

    expect(lineOf({ name: 'é'.repeat(71) }, 5)).to.equal('é'.repeat(70));
    expect(lineOf({ name: 'De\nBrug' }, 5)).to.equal('De Brug');
    expect(lineOf({ remittance: 'F'.repeat(141) }, 10)).to.equal('F'.repeat(140));
    expect(lineOf({ bic: 'no bic' }, 4)).to.equal('');
    expect(lineOf({ bic: 'abnanl2a' }, 4)).to.equal('ABNANL2A');
    expect(lineOf({ iban: 'NL91 ABNA 0417 1643 00' }, 6)).to.equal('NL91ABNA0417164300');
    expect(lineOf({ amount: '999999999.99' }, 7)).to.equal('EUR999999999.99');
    for (const amount of ['0.00', '-1.00', '1000000000.00'])
      expect(transferText({ ...TRANSFER, amount })).to.equal(undefined);
  });
});
