// The feed of changes: a client that asks again and again with `next` sees every change once. It may wait for the next
// change (long polling), and holds no connection to the database meanwhile.

import { problem, violation } from '../../core/errors.ts';
import { collected, refuse } from '../../core/model/bodies/check.ts';
import { readPaging } from '../../core/model/lists/list-query.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { ACTION_NAMES } from '../../core/model/writes/change-action.ts';
import {
  type FeedCursor,
  isOldCursor,
  readFeedCursor,
  writeFeedCursor,
} from '../../platform/changes/feed-cursor.ts';
import {
  changeJson,
  type FeedPage,
  type FeedQuery,
  feedJson,
  feedResources,
  readFeedPage,
} from '../../platform/changes/feed-page.ts';
import { readClock } from '../../platform/database/clock.ts';
import type { Answer } from '../answer.ts';
import { type Call, type Endpoint, get } from '../endpoint.ts';
import {
  instant,
  integer,
  optionalText,
  PAGING,
  type ParameterDoc,
  TOO_SLOW,
  text,
} from '../openapi/operation.ts';
import { object, type SchemaObject } from '../openapi/schema.ts';
import { callerLeft, reading, readingChunks } from '../reading.ts';

const LONGEST_WAIT = 25;

const CHANGE: SchemaObject = object(
  {
    seq: { type: 'integer', description: 'Goes up by 1 from change to change of the owner' },
    resource: text,
    id: { ...integer, description: 'ID of the record' },
    external_id: optionalText,
    action: { type: 'string', enum: ACTION_NAMES },
    version: {
      ...integer,
      description: 'Of the record after the change; of a deleted one, its last version + 1',
    },
    changed_at: instant,
    fields: { type: 'array', items: text, description: 'Of an update: the fields with new values' },
    record: {
      type: ['object', 'null'],
      description: 'Only if `expand` asks for it: the record as it is now; null if it is deleted',
    },
  },
  { required: ['seq', 'resource', 'id', 'external_id', 'action', 'version', 'changed_at', 'fields'] },
);

/** By name, what a request may ask for. */
const PARAMETERS: Readonly<Record<string, ParameterDoc>> = {
  after: {
    description:
      '`next` of the page before, or `now`; without it the page begins with the oldest change kept',
  },
  resource: {
    description:
      'Names of resources, joined by commas; without it all that the key may GET. Another one is refused',
  },
  page_size: { ...PAGING.page_size, description: 'Changes a page' },
  wait: {
    description: 'Seconds to wait for a change if there is none',
    schema: { type: 'integer', minimum: 0, maximum: LONGEST_WAIT, default: 0 },
  },
  expand: { description: '`record`: each change with its record', schema: { ...text, enum: ['record'] } },
};

export const changesEndpoints: Endpoint[] = [
  get('/changes', {
    needs: 'READONLY',
    parameters: Object.keys(PARAMETERS),
    handle: readChanges,
    doc: {
      operationId: 'readChanges',
      summary: 'List changes of records, the oldest first',
      description:
        'A client that keeps asking with `after=<next>` sees every change once, and the changes of one record in order. ' +
        'To begin, take an export or read the lists, with the `next` of `after=now` from before. A copy of the records takes ' +
        '`expand=record`: it keeps the record as it is now, and removes it where it is null.',
      parameters: PARAMETERS,
      answer: object({
        successCode: { type: 'integer', const: 200 },
        data: { type: 'array', items: CHANGE },
        next: { ...text, description: 'The cursor for `after`, on the last page too' },
        has_more: { type: 'boolean', description: 'Whether to ask again at once' },
      }),
      good: 'One page of changes',
      errors: [
        violation('parameter_invalid', { field: 'after', reason: 'value is not a cursor of this feed' }),
        violation('field_unknown', { field: 'colour' }),
        violation('role_forbids', { endpoint: 'GET /order' }),
        violation('cursor_expired'),
        violation('too_many_waiting'),
        ...TOO_SLOW,
      ],
    },
  }),
];

interface Asked extends Omit<FeedQuery, 'after'> {
  readonly after: FeedCursor | 'now' | undefined;
  /** An instant of performance.now(): until then the request waits for a change. */
  readonly until: number;
  readonly expand: boolean;
}

async function readChanges(call: Call): Promise<Answer> {
  const asked = readAsked(call);
  if (typeof asked.after === 'object') await refuseOldCursor(call, asked.after);
  const signal = callerLeft(call.ctx);
  const page = await nextPage(call, asked, signal);
  return asked.expand && page.changes.length > 0
    ? { status: 200, body: withRecords(call, page, signal) }
    : { status: 200, body: `${HEAD}${page.changes.map(changeJson).join()}${tail(call, page)}` };
}

/** Throws Problem 410. While the clock may be wrong, an age says nothing, and nothing leaves the feed by its age. */
async function refuseOldCursor({ services }: Call, after: FeedCursor): Promise<void> {
  if (!isOldCursor(after, services.config.changesDays)) return;
  const { waitMs } = await readClock(services.database);
  if (waitMs === 0) throw problem('cursor_expired');
}

const HEAD = '{"successCode":200,"data":[';
const tail = ({ identity: { owner } }: Call, { place, hasMore }: FeedPage) =>
  `],"next":${JSON.stringify(writeFeedCursor(owner, place))},"has_more":${hasMore}}`;

/** The records of a page are of one snapshot. */
async function* withRecords(call: Call, page: FeedPage, signal: AbortSignal): AsyncGenerator<Buffer> {
  yield* readingChunks(
    call,
    true,
    async function* (session) {
      let head = HEAD;
      for await (const chunk of feedJson(garageOf(session, call.identity.owner), page.changes)) {
        yield Buffer.concat([Buffer.from(head), chunk]);
        head = '';
      }
      yield Buffer.from(tail(call, page));
    },
    signal,
  );
}

/** The first page with a change; an empty one when the time is up, or when the caller has another role by now. */
async function nextPage(call: Call, asked: Asked, signal: AbortSignal): Promise<FeedPage> {
  const { feed } = call.services;
  const { owner } = asked;
  let after = typeof asked.after === 'object' ? asked.after.place : asked.after;
  for (;;) {
    const pulse = feed.pulse(owner);
    const isWhole = await feed.place(owner);
    const page = await reading(call, false, (session) => readFeedPage(session, { ...asked, after }), signal);
    const hasMore = page.hasMore || !isWhole;
    const { place, changes } = page;
    const isOver = feed.isClosed || performance.now() >= asked.until;
    if (changes.length > 0 || hasMore || isOver) return { ...page, hasMore };
    after = place;
    const isSame = await waited(call, () => feed.wait({ owner, place, pulse, until: asked.until, signal }));
    signal.throwIfAborted();
    // The rights were judged by the role before. The next request has those of the new one.
    if (!isSame) return page;
  }
}

/**
 * Waits for a change. The log leaves the wait out of the request's time. False: the caller has another role by now.
 * Throws 401 if the token ends meanwhile.
 */
async function waited({ ctx, identity, services }: Call, wait: () => Promise<void>): Promise<boolean> {
  const began = performance.now();
  await wait();
  ctx.state.waited = (ctx.state.waited ?? 0) + performance.now() - began;
  const found = await services.tokens.find(String(ctx.req.headers.token));
  if (!found) throw problem('not_authorized');
  return found.role === identity.role;
}

/** Reads the parameters. Throws Problem. */
function readAsked(call: Call): Asked {
  const { identity, parameters, ctx } = call;
  const { after, pageSize, wait, expand, resources } = collected({
    after: () => readAfter(identity.owner, parameters.get('after')),
    pageSize: () => readPaging(parameters).pageSize,
    wait: () => readWait(parameters.get('wait')),
    expand: () => readExpand(parameters.get('expand')),
    resources: () => readResources(call, parameters.get('resource')),
  });
  // HEAD does not wait: a later answer would have the same headers.
  const until = performance.now() + (ctx.method === 'HEAD' ? 0 : wait * 1000);
  return { owner: identity.owner, after, resources, pageSize, until, expand };
}

function readAfter(owner: number, text: string | undefined): Asked['after'] {
  if (text === undefined || text === 'now') return text;
  return readFeedCursor(owner, text);
}

function readWait(text = '0'): number {
  if (/^\d{1,2}$/.test(text) && Number(text) <= LONGEST_WAIT) return Number(text);
  throw problem('parameter_invalid', {
    field: 'wait',
    reason: `value must be between 0 and ${LONGEST_WAIT}`,
  });
}

function readExpand(text: string | undefined): boolean {
  const unknown = (text?.split(',') ?? []).filter((name) => name !== 'record');
  refuse(unknown.map((field) => violation('field_unknown', { field })));
  return text !== undefined;
}

/** The names of the resources with a log that the caller may GET. */
export const readableResources = ({ forbids }: Call): string[] =>
  feedResources()
    .map(({ name }) => name)
    .filter((name) => !forbids(`GET /${name}`));

/** The names in `resource`, or all that the caller may GET. Throws Problem: 403 unknown, or not allowed. */
function readResources(call: Call, text: string | undefined): string[] {
  if (text === undefined) return readableResources(call);
  const known = feedResources().map(({ name }) => name);
  const names = [...new Set(text.split(','))];
  const unknown = names.filter((name) => !known.includes(name));
  refuse(unknown.map((field) => violation('field_unknown', { field })));
  refuse(names.flatMap((name) => call.forbids(`GET /${name}`) ?? []));
  return names;
}
