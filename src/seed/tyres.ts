// Sets of tyres of the customers of a slice: winter tyres on the shelf, or on the car. Each stored set has a shelf of
// its own.
import { Tyre } from '../resources/tyre.ts';
import { TyreSet } from '../resources/tyre-set.ts';
import { LISTS } from '../trade/lists.ts';
import { END, midnight } from './calendar.ts';
import type { Random } from './random.ts';
import type { Pair } from './vehicles.ts';
import type { Draft, Writer } from './writer.ts';

const { STORED, MOUNTED, RETURNED, SCRAPPED } = LISTS.tyresetstatuses;
const { SUMMER, WINTER, ALL_SEASON } = LISTS.tyreseasons;
const { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT } = LISTS.tyrepositions;
const POSITIONS = [FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT];
/** The sets of customers in turn. */
const STATES = [STORED, MOUNTED, STORED, RETURNED, STORED, SCRAPPED];
const SEASONS = [WINTER, SUMMER, WINTER, ALL_SEASON];
const BRANDS = ['Michelin', 'Continental', 'Vredestein', 'Goodyear', 'Nokian'];
const SIZES = ['195/65 R15', '205/55 R16', '225/45 R17', '235/35 ZR19'];

export async function writeTyres(writer: Writer, random: Random, pairs: readonly Pair[]): Promise<void> {
  const first = await writer.reserve('tyreset', pairs.length);
  const sets = await writer.write(
    TyreSet,
    pairs.map((pair, index) => tyreSet(random, pair, first + index)),
  );
  await writer.write(
    Tyre,
    sets.flatMap(({ id }) => tyres(random, id)),
  );
}

function tyreSet(random: Random, { car, contact }: Pair, set_number: number): Draft<typeof TyreSet> {
  const tyreset_status = STATES[set_number % STATES.length] ?? STORED;
  const isStored = tyreset_status === STORED;
  const days = random.whole(20, 150);
  return {
    set_number,
    contact_id: contact.id,
    vehicle_id: car.id,
    season: SEASONS[set_number % SEASONS.length],
    tyreset_status,
    // A number is never given twice, so neither is a shelf.
    location: isStored ? `R${Math.ceil(set_number / 40)}-${String(set_number % 40).padStart(2, '0')}` : null,
    stored_at: midnight(-days, END),
    out_at: isStored ? null : midnight(-days + random.whole(1, 19), END),
    notes: random.chance(0.2) ? 'Velgen gepoetst ✨, één beschadigd' : null,
  };
}

function tyres(random: Random, tyreset_id: number): Draft<typeof Tyre>[] {
  const same = {
    tyreset_id,
    brand: random.pick(BRANDS),
    size: random.pick(SIZES),
    dot: `${String(random.whole(1, 52)).padStart(2, '0')}${random.whole(17, 25)}`,
  };
  return POSITIONS.map((position) => ({
    ...same,
    position,
    tread_mm: `${random.whole(2, 8)}.${random.whole(0, 9)}`,
  }));
}
