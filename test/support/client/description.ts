// Finds the operation of a request in the OpenAPI document, and reports the places at which a body or an answer does
// not match.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json } from './client.ts';

interface Refusal {
  readonly code: string;
}

interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly example?: unknown;
}

interface Content {
  readonly 'application/json': {
    readonly schema: object;
    readonly example?: unknown;
    readonly examples?: Record<string, { value: Refusal }>;
  };
}

interface Response {
  readonly description: string;
  readonly headers?: object;
  readonly content?: Content;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: DescribedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Record<string, Response>;
  readonly callbacks?: Record<string, Record<string, Record<string, DescribedOperation>>>;
}

/** One method of one path of the document. */
export interface Described {
  readonly key: string;
  readonly path: string;
  readonly method: string;
  readonly operation: DescribedOperation;
}

export interface OpenApi {
  readonly openapi: string;
  readonly tags: { name: string; description: string }[];
  readonly paths: Record<string, Record<string, DescribedOperation>>;
  readonly webhooks: Record<string, Record<string, DescribedOperation>>;
  readonly components: { readonly schemas: Record<string, DescribedRecord> };
}

interface DescribedRecord {
  readonly properties?: Record<string, { readonly description?: string }>;
}

export class Description {
  readonly document: OpenApi;
  readonly operations: readonly Described[];
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

  constructor(document: OpenApi) {
    this.document = document;
    this.ajv.addSchema(document, 'api');
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        key: `${method.toUpperCase()} ${path}`,
        path,
        method,
        operation: this.whole(methods[method]) as DescribedOperation,
      })),
    );
  }

  /** The operation that answers a path below /v2; a path in words goes before one with a placeholder. */
  find(method: string, path: string): Described | undefined {
    const fits = (template: string) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(path);
    return this.operations
      .filter((described) => described.method === method.toLowerCase() && fits(described.path))
      .sort((one, other) => placeholders(one.path) - placeholders(other.path))[0];
  }

  /** The differences between an answer and its description. */
  wrongAnswer({ operation, path, method, key }: Described, status: number, body: unknown): string[] {
    const response = operation.responses[status];
    if (!response) return [`${key} answered ${status}, which is not described: ${brief(body)}`];
    if (!response.content) return body === undefined ? [] : [`${key} answered ${status} with a body`];
    const at = this.place('paths', path, method, 'responses', String(status));
    const wrong = this.invalid(`${at}/content/application~1json/schema`, body);
    if (wrong !== '') return [`${key} answered ${status}: ${wrong}: ${brief(body)}`];
    // The first refusal makes the status; later refusals may have another status.
    const known = codesOf(response);
    const all = Object.values(operation.responses).flatMap(codesOf);
    return ((body as { errors?: Refusal[] }).errors ?? [])
      .filter(({ code }, index) => !(index === 0 ? known : [...all, LAST]).includes(code))
      .map(({ code }) => `${key} answered ${status} ${code}, which is not described: ${brief(body)}`);
  }

  wrongBody({ path, method, key }: Described, body: Json): string[] {
    const at = this.place('paths', path, method, 'requestBody');
    const wrong = this.invalid(`${at}/content/application~1json/schema`, body);
    return wrong === '' ? [] : [`${key}: ${wrong}: ${brief(body)}`];
  }

  private invalid(place: string, value: unknown): string {
    const validate = this.ajv.getSchema(`api#${place}`) as ValidateFunction;
    return validate(value) ? '' : this.ajv.errorsText(validate.errors);
  }

  /** The pointer to a place in the document, behind the references on the way. */
  private place(...words: string[]): string {
    let [at, value] = ['', this.document as unknown];
    for (const word of words) {
      at += `/${encodeURIComponent(word.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
      value = (value as Json)[word];
      const { $ref } = value as { $ref?: string };
      if ($ref === undefined) continue;
      at = $ref.slice(1);
      value = this.target($ref);
    }
    return at;
  }

  private target(ref: string): unknown {
    return ref
      .slice(2)
      .split('/')
      .reduce((value, word) => (value as Json)[word], this.document as unknown);
  }

  /** A value with the components that it refers to in their places; schemas stay references. */
  private whole(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.whole(item));
    const { $ref } = value as { $ref?: string };
    if ($ref !== undefined) return $ref.includes('/schemas/') ? value : this.whole(this.target($ref));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.whole(item)]));
  }
}

/** Any long list of errors ends with this entry. */
const LAST = 'more_errors';

const codesOf = ({ content }: Response): string[] =>
  Object.values(content?.['application/json'].examples ?? {}).map(({ value }) => value.code);

const placeholders = (path: string) => path.split('{').length;
const brief = (body: unknown) => (JSON.stringify(body) ?? '').slice(0, 200);
