// The headers of a picture, read before anything is decoded.
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { printLogo } from '../../../src/core/trade/picture/logo.ts';
import { readPicture } from '../../../src/core/trade/picture/picture.ts';
import { LARGEST_PROFILE } from '../../../src/core/trade/picture/picture-parts.ts';
import { expect } from '../../support/client/expect.ts';
import { frame, progressiveJpeg, segment } from '../../support/files/jpeg.ts';
import { chunk, pngOf } from '../../support/files/picture.ts';

const MEBIBYTE = 1024 * 1024;
const DNL = 0xdc;
const SOS = 0xda;
const scan = segment(SOS, [1, 1, 0, 1, 63, 0]);

describe('the headers of a JPEG', () => {
  it('allow 50 scans, and no more', async () => {
    for (const scans of [0, 41, 47])
      expect(await printLogo(progressiveJpeg({ scans })), `${scans}`).to.be.instanceOf(Buffer);
    for (const scans of [48, 2_600])
      expect(readPicture(progressiveJpeg({ scans })), `${scans}`).to.equal(undefined);
  });

  it('are read as a decoder reads them, so no scan hides', () => {
    const hidden = (bytes: Buffer) =>
      progressiveJpeg({ behind: Array.from({ length: 60 }, () => Buffer.concat([bytes, scan])) });
    const wrong: [string, Buffer][] = [
      ['behind fill bytes', hidden(Buffer.of(255, 255))],
      ['behind restarts', hidden(Buffer.of(0xff, 0xd3))],
      ['behind data', hidden(Buffer.of(1, 0xff, 0, 7))],
      ['behind tables', hidden(segment(0xdd, [0, 0]))],
      ['a second frame', progressiveJpeg({ before: [frame(64, 64)] })],
      ['a second picture', progressiveJpeg({ behind: [progressiveJpeg()] })],
      ['lines that are counted later', progressiveJpeg({ behind: [segment(DNL, [0, 64])] })],
      [
        'a scan before the frame',
        Buffer.concat([Buffer.of(0xff, 0xd8), scan, progressiveJpeg().subarray(2)]),
      ],
      ['an unknown marker', progressiveJpeg({ before: [segment(0xf3, [0])] })],
      ['bytes between segments', progressiveJpeg({ before: [Buffer.of(0, 0)] })],
      ['a segment longer than the file', progressiveJpeg({ before: [Buffer.of(0xff, 0xe1, 0xff, 0xff)] })],
      ['no end', progressiveJpeg().subarray(0, -2)],
      ['no scan', Buffer.concat([Buffer.of(0xff, 0xd8), frame(64, 64), Buffer.of(0xff, 0xd9)])],
    ];

    for (const [name, bytes] of wrong) expect(readPicture(bytes), name).to.equal(undefined);
  });

  it('are left out where the pixels do not need them', async () => {
    const text = segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0'), scan);
    const jpeg = progressiveJpeg({
      before: [text, segment(0xfe, scan), segment(0xe2, Buffer.alloc(60_000))],
    });

    const picture = readPicture(Buffer.concat([jpeg, randomBytes(1_000)]));

    expect(picture?.bytes.equals(progressiveJpeg())).to.equal(true);
    expect(await printLogo(jpeg)).to.deep.equal(await printLogo(progressiveJpeg()));
  });

  it('keep how the picture is turned, and its colours', async () => {
    const picture = sharp(pngOf(300, 100)).jpeg();
    const turned = await picture.clone().withMetadata({ orientation: 6 }).toBuffer();
    const wide = await picture.clone().withIccProfile('p3').toBuffer();

    expect(await sharp(await printLogo(turned)).metadata()).to.include({ width: 60, height: 180 });
    expect((await sharp(readPicture(wide)?.bytes).metadata()).icc).to.be.instanceOf(Buffer);
  });
});

describe('the headers of a PNG', () => {
  const png = pngOf(64, 64);
  const header = png.subarray(0, 33);
  const withChunks = (...chunks: Buffer[]) => Buffer.concat([header, ...chunks, png.subarray(33)]);
  const packed = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 9 });

  it('are left out where the pixels do not need them, however large they unpack', () => {
    const texts = Array.from({ length: 100 }, () =>
      chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), packed(8 * MEBIBYTE)])),
    );
    const profile = chunk('iCCP', Buffer.concat([Buffer.from('icc\0\0'), packed(LARGEST_PROFILE + 1)]));
    const moving = chunk('acTL', Buffer.alloc(8));

    expect(readPicture(withChunks(...texts, profile, moving))?.bytes.equals(png)).to.equal(true);
  });

  it('tell the size once, and first, and end with the file', () => {
    const wrong: [string, Buffer][] = [
      ['two sizes', withChunks(header.subarray(8))],
      ['no size', Buffer.concat([png.subarray(0, 8), png.subarray(33)])],
      ['a chunk longer than the file', withChunks(Buffer.from('7fffffff74455874', 'hex'))],
      ['no end', png.subarray(0, -12)],
    ];

    for (const [name, bytes] of wrong) expect(readPicture(bytes), name).to.equal(undefined);
  });

  it('keep its colours', async () => {
    const wide = await sharp(png).withIccProfile('p3').png().toBuffer();

    expect((await sharp(readPicture(wide)?.bytes).metadata()).icc).to.be.instanceOf(Buffer);
  });
});
