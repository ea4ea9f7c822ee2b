// Compares two OpenAPI documents of the service and names each difference that breaks a program written for the older
// one. Lists and answers may grow; what a request may hold never becomes less. No library for Node reads
// OpenAPI 3.1: openapi-diff 0.24 reads 3.0, Optic is archived, oasdiff is Go; api-smart-diff 1.0 judges wrongly.

/** Part of a parsed OpenAPI document. */
export type Json = { readonly [name: string]: Json } | readonly Json[] | string | number | boolean | null;
type Node = { readonly [name: string]: Json };

/** `request`: the caller writes the value. `answer`: the caller reads it. */
type Direction = 'request' | 'answer';

/** A value of both documents, and where it stands, such as `the answer 200 of GET /order`. */
interface Place {
  readonly direction: Direction;
  readonly of: string;
  readonly path: string;
}

const METHODS = ['get', 'put', 'post', 'delete'];
const LIMITS = {
  maxLength: 1,
  maxItems: 1,
  maximum: 1,
  exclusiveMaximum: 1,
  minLength: -1,
  minItems: -1,
  minimum: -1,
};
const EXACT = ['const', 'format', 'pattern', 'not', 'contentEncoding'];
const BRANCHES = ['allOf', 'anyOf', 'oneOf'];
const VALIDATION = /for validation: \[([^\]]+)\]/g;

/** One sentence for each breaking difference; empty if programs for `before` work with `after`. */
export function breakingDifferences(before: Json, after: Json): string[] {
  const comparison = new Comparison(before, after);
  comparison.operations();
  comparison.events();
  comparison.errors();
  return comparison.found;
}

class Comparison {
  readonly found: string[] = [];
  readonly #compared = new Set<string>();
  readonly #before: Node;
  readonly #after: Node;
  readonly #old: Reader;
  readonly #new: Reader;

  constructor(before: Json, after: Json) {
    this.#before = node(before);
    this.#after = node(after);
    this.#old = reader(before);
    this.#new = reader(after);
  }

  operations(): void {
    for (const [path, operations] of entries(this.#before.paths))
      for (const method of METHODS.filter((one) => one in node(operations))) {
        const name = `${method.toUpperCase()} ${path}`;
        const was = node(node(operations)[method]);
        const is = node(node(this.#after.paths)[path])[method];
        if (is === undefined) {
          this.#say(`${name} is gone`);
          continue;
        }
        this.#parameters(name, was, node(is));
        this.#body(name, was, node(is));
        this.#answers(name, was, node(is));
      }
  }

  events(): void {
    const schemaOf = (event: Json | undefined) => contentOf(node(node(node(event).post).requestBody));
    for (const [name, event] of entries(this.#before.webhooks)) {
      const place: Place = { direction: 'answer', of: `the event ${name}`, path: '' };
      this.#schemas(schemaOf(event), schemaOf(node(this.#after.webhooks)[name]), place);
    }
  }

  errors(): void {
    const texts = ({ components }: Node) =>
      node(node(node(node(components).schemas).error_code)['x-error-texts']);
    for (const [code, text] of entries(texts(this.#before))) {
      const other = texts(this.#after)[code];
      if (other === undefined) this.#say(`Error ${code} is gone`);
      else if (!same(other, text))
        this.#say(`Error ${code} has another status or text: ${JSON.stringify(other)}`);
    }
    const names = namesOfValidations(this.#after);
    for (const name of namesOfValidations(this.#before))
      if (!names.has(name)) this.#say(`No error names the validation [${name}] any more`);
  }

  #parameters(name: string, was: Node, is: Node): void {
    const read = (resolve: Reader, list: Json | undefined) =>
      new Map(items(list).map((one) => [nameOf(node(resolve(one))), node(resolve(one))]));
    const before = read(this.#old, was.parameters);
    const after = read(this.#new, is.parameters);
    for (const [key, { schema }] of before) {
      const other = after.get(key);
      const place: Place = { direction: 'request', of: `the ${key} of ${name}`, path: '' };
      if (other) this.#schemas(schema, other.schema, place);
      else this.#say(`The ${key} of ${name} is gone`);
    }
    for (const [key, { required }] of after)
      if (required === true && before.get(key)?.required !== true) this.#say(`${name} needs the ${key} now`);
  }

  #body(name: string, was: Node, is: Node): void {
    const before = node(this.#old(was.requestBody));
    const after = node(this.#new(is.requestBody));
    if (after.required === true && before.required !== true) this.#say(`${name} needs a body now`);
    const place: Place = { direction: 'request', of: `the body of ${name}`, path: '' };
    if (was.requestBody) this.#schemas(contentOf(before), contentOf(after), place);
  }

  #answers(name: string, was: Node, is: Node): void {
    for (const [status, response] of entries(was.responses).filter(([one]) => one.startsWith('2'))) {
      const of = `the answer ${status} of ${name}`;
      const before = node(this.#old(response));
      const other = this.#new(node(is.responses)[status]);
      if (other === undefined) this.#say(`${name} no longer answers ${status}`);
      for (const header of Object.keys(node(before.headers)))
        if (other && !(header in node(node(other).headers))) this.#say(`Header ${header} is gone from ${of}`);
      if (other && before.content)
        this.#schemas(contentOf(before), contentOf(node(other)), { direction: 'answer', of, path: '' });
    }
  }

  /** Compares each pair of components once for a direction. The sentences name its first place. */
  #schemas(was: Json | undefined, is: Json | undefined, place: Place): void {
    if (refOf(was) && refOf(is)) {
      const key = `${refOf(was)} ${refOf(is)} ${place.direction}`;
      if (this.#compared.has(key)) return;
      this.#compared.add(key);
    }
    if (was === undefined) return;
    const found = this.#new(is);
    if (found === undefined) {
      this.#say(`${field(place)} is gone`);
      return;
    }
    const before = withNull(node(this.#old(was)));
    const after = withNull(node(found));
    this.#types(before, after, place);
    this.#values(before, after, place);
    if (place.direction === 'request') this.#limits(before, after, place);
    this.#properties(before, after, place);
    this.#schemas(before.items, after.items, below(place, '[]'));
    for (const branch of BRANCHES)
      for (const [index, part] of items(before[branch]).entries())
        this.#schemas(part, items(after[branch])[index], place);
  }

  #types(was: Node, is: Node, place: Place): void {
    // The caller gives requests and the service gives answers. The other side must still accept them.
    const [given, taken] = place.direction === 'request' ? [was, is] : [is, was];
    if (typesOf(taken).length === 0) return;
    const takes = (type: Json) =>
      typesOf(taken).includes(type) || (type === 'integer' && typesOf(taken).includes('number'));
    const more = typesOf(given).length === 0 ? ['any type'] : typesOf(given).filter((type) => !takes(type));
    const change = place.direction === 'request' ? 'no longer takes' : 'may now be';
    if (more.length > 0) this.#say(`${field(place)} ${change} ${more.join(', ')}`);
  }

  #values(was: Node, is: Node, place: Place): void {
    // The types speak of null. 1.0.0 had it in the values too.
    const gone = items(was.enum).filter(
      (value) => value !== null && is.enum && !items(is.enum).includes(value),
    );
    if (gone.length > 0) this.#say(`${field(place)} no longer has the value ${gone.join(', ')}`);
    if (!was.enum && is.enum && place.direction === 'request')
      this.#say(`${field(place)} takes listed values only`);
    for (const name of EXACT) {
      if (same(was[name], is[name])) continue;
      // An answer may say more of its value, and a request may be free of a rule.
      const isSafe = place.direction === 'answer' ? !(name in was) : !(name in is);
      if (!isSafe) this.#say(`${field(place)} has another ${name}`);
    }
  }

  #limits(was: Node, is: Node, place: Place): void {
    const limit = (value: Json | undefined, sign: number) =>
      value === undefined ? Number.POSITIVE_INFINITY : sign * Number(value);
    for (const [name, sign] of Object.entries(LIMITS))
      if (limit(is[name], sign) < limit(was[name], sign))
        this.#say(`${field(place)} has a narrower ${name}: ${is[name]}`);
  }

  #properties(was: Node, is: Node, place: Place): void {
    for (const [name, property] of entries(was.properties))
      this.#schemas(property, node(is.properties)[name], below(place, `.${name}`));
    const [needed, known] = place.direction === 'request' ? [is, was] : [was, is];
    for (const name of items(needed.required)) {
      if (items(known.required).includes(name)) continue;
      const inside = field(below(place, `.${name}`));
      if (place.direction === 'request') this.#say(`${inside} is required now`);
      else if (String(name) in node(is.properties)) this.#say(`${inside} may be missing now`);
    }
  }

  #say(sentence: string): void {
    this.found.push(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`);
  }
}

type Reader = (value: Json | undefined) => Json | undefined;

/** Reads a value of a document, and follows its `$ref`. */
const reader =
  (document: Json): Reader =>
  (value) => {
    const ref = refOf(value);
    if (ref === undefined) return value ?? undefined;
    return ref
      .slice(2)
      .split('/')
      .reduce<Json>((at, name) => node(at)[name] ?? null, document);
  };

function refOf(value: Json | undefined): string | undefined {
  const { $ref } = node(value);
  return typeof $ref === 'string' ? $ref : undefined;
}

const node = (value: Json | undefined): Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
const items = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const entries = (value: Json | undefined) => Object.entries(node(value));
/** The types of a schema; without `type`, those of its values. */
const typesOf = ({ type, enum: values }: Node): readonly Json[] => {
  if (type === undefined) return items(values).map((value) => typeof value);
  return typeof type === 'string' ? [type] : items(type);
};

/** `anyOf: [{type: 'integer', …}, {type: 'null'}]` as `{type: ['integer', 'null'], …}`. Others stay as they are. */
function withNull(schema: Node): Node {
  const { anyOf, ...rest } = schema;
  const [one, other, ...more] = items(anyOf).map((part) => node(part));
  if (one?.type === undefined || other?.type !== 'null' || more.length > 0) return schema;
  return { ...rest, ...one, type: [...typesOf(one), 'null'] };
}

/** The schema of a body or an answer. All endpoints have one type of content, or several of one schema. */
const contentOf = ({ content }: Node): Json | undefined => node(entries(content)[0]?.[1]).schema;

const same = (one: Json | undefined, other: Json | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);
const nameOf = (parameter: Node) => `${parameter.in} parameter [${parameter.name}]`;
const below = (place: Place, step: string): Place => ({ ...place, path: `${place.path}${step}` });
const field = ({ of, path }: Place) => (path === '' ? of : `[${path.replace(/^\./, '')}] in ${of}`);

/** The names in all texts such as `… for validation: [not 0]`. */
function namesOfValidations({ components }: Node): Set<string> {
  const texts = entries(node(components).responses).map(([, response]) => String(node(response).description));
  return new Set(texts.flatMap((text) => [...text.matchAll(VALIDATION)].flatMap(([, name]) => name ?? [])));
}
