// What a search of a large garage takes, beside a page of 100 records of the same list.
import { garageOf } from '../src/core/model/statements/garage.ts';
import { Contact } from '../src/core/resources/contact.ts';
import type { Dataset } from './dataset.ts';
import { measure } from './load.ts';
import type { Options } from './options.ts';
import { type Measured, section, shown, tableText, verdict } from './report.ts';
import { type ServerSettings, startService } from './servers.ts';
import { type Spread, spread } from './statistics.ts';

const MOST_MORE_MS = 150;

/** One client needs no longer run for a median. */
const MOST_SECONDS = 2;

/** A name and a city that many have, a part of most names, two and three words, a number, and what nobody has. */
const WORDS = ['jansen', 'utrecht', 'an', 'jansen utrecht', 'jan de vries', '0612345678', 'qqxyz'];
const LISTS = ['contact', 'vehicle', 'order'];

interface Asked {
  /** `/contact?search`, `/search?q` and so on. */
  readonly where: string;
  readonly name: string;
  readonly path: string;
  /** The name of the page that it stands beside. */
  readonly page: string;
}

const searchOf = (list: string) => `/${list}?page_size=100&search`;
const pageOf = (list: string) => `a page of /${list}`;
const PAGES = LISTS.map((list) => ({
  name: pageOf(list),
  path: `/v2/${list}?page_size=100`,
}));
const SEARCHES: readonly Asked[] = WORDS.flatMap((words) => {
  const asked = (where: string, list: string): Asked => ({
    where,
    name: `${where}=${words}`,
    path: `/v2${where}=${encodeURIComponent(words)}`,
    page: pageOf(list),
  });
  return [...LISTS.map((list) => asked(searchOf(list), list)), asked('/search?q', 'contact')];
});

export async function measureSearch(
  dataset: Dataset,
  settings: ServerSettings,
  { rounds, seconds }: Options,
): Promise<Measured> {
  const garage = await dataset.searchedGarage();
  const times = new Map<string, number[]>([...PAGES, ...SEARCHES].map(({ name }) => [name, []]));
  const service = await startService(settings, { logLevel: 'warn' });
  try {
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const token = await dataset.token(garage);
      for (const { name, path } of [...PAGES, ...SEARCHES]) {
        const requests = [{ method: 'GET', path }] as const;
        const { p50 } = await measure(service, dataset, {
          token,
          connections: 1,
          requests,
          length: { seconds: Math.min(seconds, MOST_SECONDS) },
        });
        if (round > 0) times.get(name)?.push(p50);
      }
    }
  } finally {
    await service.stop();
  }
  const contacts = await Contact.of(garageOf(dataset.base.database, garage.owner)).resultSize();
  return report({ contacts, orders: garage.orders }, times);
}

function report(
  { contacts, orders }: { contacts: number; orders: number },
  times: ReadonlyMap<string, number[]>,
): Measured {
  const of = (name: string) => times.get(name) ?? [];
  const more = ({ name, page }: Asked): Spread =>
    spread(of(name).map((ms, round) => ms - (of(page)[round] ?? Number.NaN)));
  return {
    text: section(
      `Searches among ${contacts} contacts and ${orders} orders of one garage, one client (\`search\`)`,
      tableText([
        ['', 'median, ms', 'more than a page, ms'],
        ...PAGES.map(({ name }) => [name, shown(spread(of(name)), 1), '']),
        ...SEARCHES.map((asked) => [asked.name, shown(spread(of(asked.name)), 1), shown(more(asked), 1)]),
      ]),
    ),
    // The slowest words of each list. `/search` looks through four lists, and has no target.
    verdicts: LISTS.map(searchOf).map((where) => {
      const [slowest] = SEARCHES.filter((asked) => asked.where === where)
        .map((asked) => ({ name: asked.name, spread: more(asked) }))
        .sort((one, other) => other.spread.median - one.spread.median);
      return verdict(
        `${slowest?.name}: ms more than a page of 100`,
        slowest?.spread ?? spread([]),
        { most: MOST_MORE_MS },
        1,
      );
    }),
  };
}
