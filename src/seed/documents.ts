// Stored documents: photos of cars and reports of orders. All records share two files.
import type { Files } from '../model/statements/session.ts';
import type { Document } from '../resources/document.ts';
import { LISTS } from '../trade/lists.ts';
import type { Sheet } from './orders.ts';
import type { Random } from './random.ts';
import type { Pair } from './vehicles.ts';
import type { Draft } from './writer.ts';

const { PHOTO, OTHER } = LISTS.documentkinds;
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const REPORT = 'Verslag proefrit\n\nRijdt goed, géén bijgeluiden. Banden één mm boven de grens. 👍\n';

export type StoredFiles = Awaited<ReturnType<typeof storeFiles>>;

export const storeFiles = async (files: Files) => ({
  photo: await files.put(Buffer.from(PIXEL, 'base64')),
  report: await files.put(Buffer.from(REPORT)),
});

export function documentDrafts(
  random: Random,
  count: number,
  { photo, report }: StoredFiles,
  { pairs, sheets }: { pairs: readonly Pair[]; sheets: readonly Sheet[] },
): Draft<typeof Document>[] {
  return Array.from({ length: count }, (_, index) => {
    const { car, contact } = random.pick(pairs);
    const name = `Foto ${car.make} ${car.model} 📷`;
    const photoOf = { name, document_kind: PHOTO, vehicle_id: car.id, contact_id: contact.id };
    if (index % 2 === 0)
      return { ...photo, ...photoOf, mime_type: 'image/png', file_name: `foto-${index + 1}.png` };
    const reportOf = {
      name: 'Verslag proefrit',
      document_kind: OTHER,
      order_id: random.pick(sheets).order.id,
    };
    return { ...report, ...reportOf, mime_type: 'text/plain', file_name: `verslag-${index + 1}.txt` };
  });
}
