// Where cars of the stock are advertised, and the foreign plates that some came in with.
import { LISTS } from '../trade/lists.ts';
import { daysBeforeEnd } from './calendar.ts';
import { type Draft, idOf } from './insert.ts';
import { plain } from './people.ts';
import { germanPlate } from './plates.ts';
import type { Random } from './random.ts';

const SITES = Object.entries(LISTS.advertisementsites);
const { PUBLISHED } = LISTS.publishstatuses;
const { STOCK, EXPECTED } = LISTS.stockstatuses;

/** At least one site for a car that is published, none for most of those that are not for sale. */
export function advertisementsOf(random: Random, car: Draft): Draft[] {
  const isWanted =
    car.publish_status === PUBLISHED || car.stock_status === STOCK || car.stock_status === EXPECTED;
  if (!isWanted) return [];
  const from = random.whole(20, 60);
  return random
    .shuffled(SITES)
    .slice(0, random.whole(1, 3))
    .map(([name, site_kind]) => ({
      vehicle_id: idOf(car),
      site_kind,
      price: car.sale_price ?? null,
      title: `${car.make} ${car.model} ${car.version_name} ✨`,
      deeplink: `https://www.${plain(name)}.example/occasions/${plain(`${car.make}${car.model}`)}/${plain(String(car.license_plate))}`,
      publish_from: daysBeforeEnd(from),
      publish_until: random.chance(0.3) ? daysBeforeEnd(from - random.whole(80, 200)) : null,
    }));
}

/** The plate that a car of the stock had when the garage imported it. */
export const formerPlateOf = (random: Random, car: Draft): Draft => ({
  vehicle_id: idOf(car),
  license_plate: germanPlate(random.whole(1, 1_600_000), random),
  changed_at: car.purchase_date ?? null,
});
