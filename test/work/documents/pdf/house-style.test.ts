// The look of a garage: logos of all forms, and colours that everybody can read.
import sharp from 'sharp';
import { LOGO_ROOM, type Logo, placeLogo, printLogo } from '../../../../src/core/trade/picture/logo.ts';
import {
  contrast,
  GREY,
  INK,
  LEAST_CONTRAST,
  readable,
  TINT,
} from '../../../../src/work/documents/pdf/color.ts';
import { renderDocument } from '../../../../src/work/documents/pdf/document.ts';
import { expect } from '../../../support/client/expect.ts';
import { readPdf, readPictures } from '../../../support/files/pdf.ts';
import { pngOf } from '../../../support/files/picture.ts';
import { sample } from './samples.ts';

async function prepared(bytes: Buffer): Promise<Logo> {
  const printed = await printLogo(bytes);
  const logo = printed && placeLogo(printed);
  if (!logo) throw new Error('the logo can not be decoded');
  return logo;
}
const withLogo = (logo?: Logo, accent_color: string | null = null) =>
  renderDocument(sample({ style: { logo, accent_color } }));

describe('the logo of a document', () => {
  it('fits its room, however wide or tall, and is never enlarged', async () => {
    for (const [width, height] of [
      [3000, 16],
      [16, 3000],
      [1600, 300],
      [1000, 1000],
    ] as const) {
      const logo = await prepared(pngOf(width, height));
      expect(logo.width, `${width}`).to.be.at.most(LOGO_ROOM.width + 0.01);
      expect(logo.height, `${height}`).to.be.at.most(LOGO_ROOM.height + 0.01);
    }
    expect(await prepared(pngOf(40, 20))).to.include({ width: 40, height: 20 });
  });

  it('is printed without transparency, in the colours of screens', async () => {
    const clear = { r: 0, g: 90, b: 160, alpha: 0.3 };
    const png = sharp({ create: { width: 300, height: 60, channels: 4, background: clear } }).png();
    const jpeg = sharp(pngOf(300, 60)).toColourspace('cmyk').jpeg();

    for (const [name, bytes] of [
      ['png', await png.toBuffer()],
      ['jpeg', await jpeg.toBuffer()],
    ] as const) {
      const pdf = await withLogo(await prepared(bytes));
      expect(await readPictures(pdf, `logo-${name}`)).to.deep.equal([[300, 60, 'rgb']]);
      expect(pdf.toString('latin1')).not.to.include('/SMask');
    }
  });

  it('makes the same bytes each time, and leaves the name above the address', async () => {
    const logo = await prepared(pngOf(600, 100));
    const pdf = await withLogo(logo, '#0a5c9e');

    expect(pdf.equals(await withLogo(await prepared(pngOf(600, 100)), '#0a5c9e'))).to.equal(true);
    const { text } = await readPdf(pdf, 'logo');
    expect(text).to.match(/Garage De Brug .*Autobedrijf De Brug B\.V\. .*Oudegracht/);
    expect(pdf.toString('latin1')).to.include('/Alt (Logo van Garage De Brug)');
  });

  it('is none if it can not be decoded', async () => {
    for (const bytes of [Buffer.from('no picture'), pngOf(40, 20).subarray(0, 60), Buffer.alloc(0)])
      expect(await printLogo(bytes)).to.equal(undefined);
  });
});

describe('the colour of a document', () => {
  it('is darkened until everybody can read it, on white and on the tint', () => {
    for (const color of ['#ffffff', '#ffff00', '#7cc243', '#f2b705', '#0a5c9e', '#000000', '#b3122b']) {
      const text = readable(color);
      expect(text).to.match(/^#[0-9a-f]{6}$/);
      for (const ground of ['#ffffff', TINT])
        expect(contrast(text, ground), `${color} on ${ground}`).to.be.at.least(LEAST_CONTRAST);
    }
    expect(readable('#0a5c9e')).to.equal('#0a5c9e');
    for (const text of [INK, GREY]) expect(contrast(text, TINT)).to.be.at.least(LEAST_CONTRAST);
  });

  it('has the contrast that WCAG defines', () => {
    expect(contrast('#000000')).to.be.closeTo(21, 0.001);
    expect(contrast('#767676')).to.be.closeTo(4.54, 0.005);
  });
});
