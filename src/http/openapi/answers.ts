// Describes the answers of an operation: the good answer with a real example, and every refusal with code and text.

import { CATALOGUE, errorTexts, type Violation, violation } from '../../core/errors.ts';
import { BODY_LIMIT } from '../../core/model/bodies/body-limit.ts';
import { MOST_ERRORS } from '../../core/model/bodies/error-entries.ts';
import type { Method } from '../../core/model/records/record.ts';
import { isUpToKey } from '../../platform/auth/permission.ts';
import { type Operation, parametersOf } from '../endpoint.ts';
import { errorBody } from '../server/error-body.ts';
import type { Components } from './components.ts';
import type { CompleteDoc } from './operation.ts';
import { REQUEST_HEADERS } from './parameters.ts';
import { object, ref, type SchemaObject } from './schema.ts';

/** A request and its answer, recorded from a run of the service. */
export interface Example {
  readonly request?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

const HEADERS: Readonly<Record<string, string>> = {
  ETag: "The record's version, for If-Match and If-None-Match",
  Location: 'Address of what was made',
  'Content-Location': 'Address of the record in the answer',
  'Retry-After': 'Seconds to wait',
  'Idempotent-Replayed': '`true`: the first answer to this Idempotency-Key, once more',
};
const GOOD: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Added: the whole new record',
  202: 'Accepted: the work goes on, see the job at `Location`',
};
const ADDED = 201;
const NOT_CHANGED = '304';
const REQUEST_ID = 'fdfaac74-4d40-41e0-baf9-a84121aa8b18';

const REFUSAL =
  'Why a request was refused. The checks run in stages: the fields of the body, required fields, rules across fields. ' +
  '`errors` holds all violations of one stage. A later stage runs only where the earlier stages found nothing';

export const ERROR_SCHEMAS: Record<string, SchemaObject> = {
  refusal: object(
    {
      errorCode: { type: 'integer', description: 'The HTTP status' },
      message: { type: 'string', description: 'The first of `errors`' },
      code: { ...ref('error_code'), description: 'Code of the first of `errors`' },
      errors: {
        type: 'array',
        minItems: 1,
        maxItems: MOST_ERRORS + 1,
        description: `At most ${MOST_ERRORS} violations. If there are more, the last entry has the code \`more_errors\` and their number`,
        items: object(
          {
            code: ref('error_code'),
            message: { type: 'string' },
            field: { type: 'string' },
            value: {
              description:
                'The value as it was sent, or its first 100 characters. The value of a write-only field is not shown. ' +
                'Where days are not whole periods of the garage: the name of its `vat_period`',
            },
            resource: {
              type: 'string',
              description:
                'With `id`: the record that the entry is about, where the request addresses another one; of a duplicate the ' +
                'record that has the value, if the caller may read it',
            },
            id: { type: 'integer' },
          },
          { required: ['code', 'message'] },
        ),
      },
      request_id: { type: 'string', description: 'As in the header `X-Request-Id`' },
    },
    { description: REFUSAL },
  ),
  error_code: {
    type: 'string',
    enum: Object.keys(CATALOGUE),
    description: 'Stable; a program tells refusals apart by it',
    'x-error-texts': Object.fromEntries(
      Object.entries(errorTexts()).map(([code, [status, text]]) => [code, { status, text }]),
    ),
  },
};

export function answers(
  { path, method, operation }: { path: string; method: Method; operation: Operation },
  doc: CompleteDoc,
  example: Example | undefined,
  components: Components,
): Record<string, object> {
  return {
    ...goodAnswer(doc, example, components),
    ...refusals([...(doc.errors ?? []), ...sharedErrors(path, method, operation, doc)], doc.tag, components),
  };
}

function goodAnswer(
  doc: CompleteDoc,
  example: Example | undefined,
  components: Components,
): Record<string, object> {
  const { status = 200, data, answer, added, requestHeaders } = doc;
  const headers = [
    ...(doc.headers ?? []),
    ...(requestHeaders?.includes('Idempotency-Key') ? ['Idempotent-Replayed'] : []),
  ];
  const wrapped = (of: SchemaObject, code: number) =>
    object({ successCode: { type: 'integer', const: code }, data: of });
  const response = (
    code: number,
    schema: SchemaObject,
    names: readonly string[],
    description = GOOD[code],
  ) => ({
    description,
    ...(names.length > 0 ? { headers: shownHeaders(names, components) } : {}),
    content: {
      'application/json': { schema, ...(example?.status === code ? { example: example.answer } : {}) },
    },
  });
  const good: Record<string, object> = {
    [status]: response(status, answer ?? wrapped(data ?? {}, status), headers, doc.good),
  };
  if (added) good[ADDED] = response(ADDED, wrapped(added, ADDED), [...headers, 'Location']);
  if (doc.requestHeaders?.includes('If-None-Match')) {
    const unchanged = { description: 'Not changed: `If-None-Match` holds. Without a body' };
    good[NOT_CHANGED] = components.share('responses', unchanged, 'not_changed');
  }
  return good;
}

const shownHeaders = (names: readonly string[], components: Components) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      components.share('headers', { description: HEADERS[name], schema: { type: 'string' } }, name),
    ]),
  );

function refusals(all: readonly Violation[], tag: string, components: Components): Record<string, object> {
  const byStatus = new Map<number, Violation[]>();
  for (const found of all) byStatus.set(found.status, [...(byStatus.get(found.status) ?? []), found]);
  return Object.fromEntries(
    [...byStatus].map(([status, violations]) => {
      const [only, ...others] = violations;
      const name = only && others.length === 0 ? only.code : `refused_${status}`;
      return [
        String(status),
        components.share('responses', refusal(violations, tag, components), name, `${name}_${tag}`),
      ];
    }),
  );
}

function refusal(violations: readonly Violation[], tag: string, components: Components): object {
  const messages = [...new Set(violations.map(({ message }) => message))];
  const examples: Record<string, SchemaObject> = {};
  for (const found of violations) {
    const names = [found.code, `${found.code}_${tag}`] as const;
    const shown = components.share('examples', { value: errorBody([found], REQUEST_ID) }, ...names);
    const free = [found.code, `${found.code}_${found.field}`].find((name) => !(name in examples));
    examples[free ?? `${found.code}_${Object.keys(examples).length}`] = shown;
  }
  const waits = violations.some(({ status }) => status === 429 || status === 503);
  return {
    description: messages.length === 1 ? messages[0] : messages.map((message) => `- ${message}`).join('\n'),
    ...(waits ? { headers: shownHeaders(['Retry-After'], components) } : {}),
    content: { 'application/json': { schema: ref('refusal'), examples } },
  };
}

/** The refusals that operations share, in the order of the checks. */
function sharedErrors(path: string, method: Method, operation: Operation, doc: CompleteDoc): Violation[] {
  const { body, errors = [], requestHeaders = [] } = doc;
  const { needs, bodyLimit: limit = BODY_LIMIT } = operation;
  const isOne = method === 'GET' && path.endsWith('{id}');
  const isJson = doc.bodyTypes === undefined;
  const shared = [
    violation('url_too_long'),
    ...(isUpToKey(needs)
      ? [
          violation('key_forbids', { endpoint: 'PUT /vehicle' }),
          // 1.0.0 does not name this refusal for the GET of one record.
          ...(needs === 'READONLY' || isOne ? [] : [violation('role_forbids', { endpoint: 'PUT /owner' })]),
        ]
      : []),
    ...(needs === 'nothing' ? [] : [violation('not_authorized')]),
    violation('parameter_repeated', { field: 'page' }),
    violation('parameter_unsupported', { field: 'colour' }),
    ...parametersOf(operation)
      .slice(0, 1)
      .map((field) => violation('parameter_invalid', { field, reason: 'value is not UTF-8' })),
    ...(body
      ? [
          violation('body_empty'),
          ...(isJson ? [violation('body_not_json'), violation('body_not_object')] : []),
          violation('body_too_large', { limit }),
          violation('request_timeout'),
        ]
      : []),
    ...requestHeaders.flatMap((name) => REQUEST_HEADERS[name].errors),
    violation('internal_error'),
    violation('service_unavailable'),
    // Reads have a time limit.
    ...(method === 'GET' && needs !== 'nothing' ? [violation('request_too_slow')] : []),
    // A GET has this error too: the database may sort a long list on its disk.
    violation('storage_full'),
  ];
  return shared.filter(({ code }) => !errors.some((own) => own.code === code));
}
