// Stored files of orders, vehicles and contacts. However many records there are, they share two files.
import type { Files } from '../model/session.ts';
import { LISTS } from '../trade/lists.ts';
import type { Pair } from './fleet.ts';
import { type Draft, idOf } from './insert.ts';
import type { Random } from './random.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const NOTE = 'Verslag proefrit\n\nRijdt goed, géén bijgeluiden. Banden één mm boven de grens. 👍\n';

/** The files, by what they are stored as. */
export interface StoredFiles {
  readonly photo: Draft;
  readonly report: Draft;
}

export async function storeFiles(files: Files): Promise<StoredFiles> {
  const [photo, report] = await Promise.all([
    files.put(Buffer.from(PIXEL, 'base64')),
    files.put(Buffer.from(NOTE)),
  ]);
  return { photo: { ...photo, mime_type: 'image/png' }, report: { ...report, mime_type: 'text/plain' } };
}

/** A photo of a car, the registration of a contact or the report of an order, each in turn. */
export function documentDrafts(
  random: Random,
  count: number,
  { stored, orders, pairs }: { stored: StoredFiles; orders: readonly Draft[]; pairs: readonly Pair[] },
): Draft[] {
  const { PHOTO, REGISTRATION, OTHER } = LISTS.documentkinds;
  return Array.from({ length: count }, (_, index) => {
    const { car, contact } = random.pick(pairs);
    const file_name = `${index % 3 === 2 ? 'verslag' : 'foto'}-${index + 1}`;
    if (index % 3 === 0) {
      const name = `Foto ${car.make} ${car.model} 📷`;
      return {
        ...stored.photo,
        document_kind: PHOTO,
        name,
        file_name: `${file_name}.png`,
        vehicle_id: idOf(car),
      };
    }
    if (index % 3 === 1) {
      const name = 'Kentekenbewijs (gescand, één zijde)';
      return {
        ...stored.photo,
        document_kind: REGISTRATION,
        name,
        file_name: `${file_name}.png`,
        contact_id: idOf(contact),
        vehicle_id: idOf(car),
      };
    }
    const order_id = idOf(random.pick(orders));
    return {
      ...stored.report,
      document_kind: OTHER,
      name: 'Verslag proefrit',
      file_name: `${file_name}.txt`,
      order_id,
    };
  });
}
