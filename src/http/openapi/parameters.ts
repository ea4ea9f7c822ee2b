// Describes the parameters of an operation in path, query and headers.
import { type Violation, violation } from '../../core/errors.ts';
import { type Operation, parametersOf } from '../endpoint.ts';
import type { Components } from './components.ts';
import { type CompleteDoc, type ParameterDoc, RECORD_ID, text } from './operation.ts';

interface RequestHeader {
  readonly description: string;
  readonly schema: object;
  /** The refusals that this header can cause. */
  readonly errors: readonly Violation[];
}

export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description:
      'Any text of your own. Sent again within 24 hours with the same key, the request is answered again and not done again',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    errors: [
      violation('parameter_invalid', {
        field: 'Idempotency-Key',
        reason: 'value must be 1 to 255 visible ASCII characters',
      }),
      violation('idempotency_key_running'),
      violation('idempotency_key_reused'),
    ],
  },
  'If-Match': {
    description:
      'The `ETag` that the record was read with: changed since, the request is refused. The forms that proxies make ' +
      'of it count too: `W/"3"`, `"3-gzip"`, `"3;br"`',
    schema: text,
    errors: [violation('record_changed')],
  },
  'If-None-Match': {
    description:
      'The `ETag` that the record was read with: not changed since, the answer is 304. The forms that proxies make ' +
      'of it count too: `W/"3"`, `"3-gzip"`, `"3;br"`',
    schema: text,
    errors: [],
  },
} as const satisfies Record<string, RequestHeader>;

const inThePath = ({ exampleInPath, ...doc }: ParameterDoc = { description: '' }): ParameterDoc =>
  exampleInPath === undefined ? doc : { ...doc, example: exampleInPath };

export function parameters(
  path: string,
  operation: Operation,
  doc: CompleteDoc,
  components: Components,
): object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const { requestHeaders = [], tag } = doc;
  const described: CompleteDoc['parameters'] = { id: RECORD_ID, ...doc.parameters };
  return [
    ...inPath.map((name) => parameter(name, 'path', { ...inThePath(described[name]), required: true })),
    ...parametersOf(operation)
      .filter((name) => doc.parameters?.[name] && !inPath.includes(name))
      .map((name) => parameter(name, 'query', described[name])),
    ...requestHeaders.map((name) => parameter(name, 'header', REQUEST_HEADERS[name])),
  ];

  function parameter(name: string, place: string, described: Partial<ParameterDoc> = {}): object {
    const { description, required = false, schema = text, example } = described;
    const whole = { name, in: place, required, description, schema };
    const shown = example === undefined ? whole : { ...whole, example };
    const shared = place === 'path' ? `${name}_of_path` : name;
    return components.share('parameters', shown, shared, `${shared}_${tag}`);
  }
}
