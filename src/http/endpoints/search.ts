// GET /search: the best hits of each resource that people look for by name, for one field to type in.
import { violation } from '../../core/errors.ts';
import { type Hit, hitsOf } from '../../core/model/lists/hits.ts';
import { readWords, sourcesOf, type WordSearch } from '../../core/model/lists/word-search.ts';
import { resourceNamed } from '../../core/model/records/registry.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { foldNewest } from '../../core/model/writes/unfolded.ts';
import { type Answer, success } from '../answer.ts';
import { type Call, type Endpoint, get } from '../endpoint.ts';
import { integer, optionalText, TOO_SLOW, text } from '../openapi/operation.ts';
import { list } from '../openapi/schema.ts';
import { anyText, query } from '../query.ts';
import { reading } from '../reading.ts';
import { allowedSearch, mayRead } from './records.ts';

/** In the order of the answer. */
const SEARCHED = ['contact', 'vehicle', 'order', 'article'] as const;

const ASKED = query({
  q: anyText({ required: true, description: '1 to 5 words of 2 to 100 characters', example: 'jansen' }),
});

export const searchEndpoints: Endpoint[] = [
  get('/search', {
    needs: 'READONLY',
    query: ASKED,
    handle: search,
    doc: () => ({
      tag: 'look-up',
      operationId: 'search',
      summary: 'Contacts, vehicles, orders and articles by a few words',
      description:
        'Up to 10 hits of each resource that the key may GET: first those where a word equals a whole text, then those of the highest ' +
        '`id`. Each word is found as `search` of the list of that resource finds it, so `zoe` finds Zoë and `zx123v` finds ZX-123-V.',
      data: list({
        resource: { ...text, enum: [...SEARCHED] },
        id: integer,
        title: {
          ...text,
          description: 'The name, the license plate, or the number of the order or the article',
        },
        subtitle: {
          ...optionalText,
          description: 'City; make and model; the name of the contact; the description',
        },
      }),
      errors: [
        violation('parameter_invalid', { field: 'q', reason: 'must be 1 to 5 words of 2 to 100 characters' }),
        ...TOO_SLOW,
      ],
    }),
  }),
];

async function search(call: Call): Promise<Answer> {
  const words = readWords('q', ASKED.read(call.parameters).q);
  const { services, identity } = call;
  const searches = SEARCHED.map(resourceNamed)
    .filter((resource) => mayRead(call, resource))
    .map((resource) => {
      const asked: WordSearch = { words, sources: sourcesOf(resource) };
      return { resource, search: allowedSearch(call, asked) };
    });
  const sources = searches.flatMap((one) => one.search.sources.map(({ resource }) => resource));
  await foldNewest(services.database, identity.owner, [...new Set(sources)]);
  const hits = await reading(call, true, async (session) => {
    const garage = garageOf(session, identity.owner);
    const found: Hit[] = [];
    for (const one of searches)
      found.push(...(await hitsOf(garage, one.resource, one.search, (other) => mayRead(call, other))));
    return found;
  });
  return success(hits);
}
