// All errors of the API in one table: code, HTTP status and text. The specification fixes the texts to the letter,
// with the parameters in brackets. A wrong code or parameter does not compile.

interface Named {
  field: string;
}
interface Valued extends Named {
  value: unknown;
}

export const CATALOGUE = {
  // General
  internal_error: [500, () => 'Internal server error'],
  service_unavailable: [503, () => 'Service temporarily unavailable'],
  request_too_slow: [503, () => 'Request takes too long'],
  /** Stands behind request_too_slow in `errors`. */
  request_advice: [
    503,
    () => 'Ask for a smaller page, use [next] in place of a deep page, or filter by equal values',
  ],
  /** Only the log shows this refusal: its caller has left. */
  caller_left: [499, () => 'Caller disconnected'],
  storage_full: [507, () => 'No space left on the disk'],
  parameter_repeated: [
    400,
    (p: Named) => `Invalid request, query parameter is provided more than once: [${p.field}]`,
  ],
  parameter_unsupported: [
    400,
    (p: Named) => `Invalid request, query parameter is not supported: [${p.field}]`,
  ],
  parameters_required: [
    400,
    (p: { fields: readonly string[] }) => `These parameter(s): [${p.fields.join(', ')}] are required`,
  ],
  parameter_invalid: [
    400,
    (p: Named & { reason: string; value?: unknown }) => `Parameter invalid [${p.field}] ${p.reason}`,
  ],
  endpoint_invalid: [400, (p: { endpoint: string }) => `Invalid endpoint: [${p.endpoint}]`],
  method_unsupported: [
    400,
    (p: { method: string; endpoint: string }) =>
      `Method: [${p.method}] not supported for endpoint: [${p.endpoint}]`,
  ],
  url_too_long: [414, () => 'URL is longer than [16384] bytes'],
  headers_too_large: [431, (p: { limit: number }) => `Headers are larger than [${p.limit}] bytes`],
  // Closes a long list of violations; no answer begins with it.
  more_errors: [400, (p: { count: number }) => `[${p.count}] more errors`],
  request_malformed: [400, () => 'Request is not valid HTTP'],
  request_timeout: [408, () => 'Request took too long to arrive'],

  // Bodies
  body_empty: [400, () => 'Empty body'],
  body_not_json: [400, () => 'Body is not valid JSON'],
  body_not_object: [400, () => 'Body is not valid JSON'],
  body_type_unsupported: [
    415,
    (p: { types: readonly string[] }) => `Content-Type must be one of [${p.types.join(', ')}]`,
  ],
  body_too_large: [413, (p: { limit: number }) => `Body is larger than [${p.limit}] bytes`],

  // Fields
  field_unknown: [403, (p: Named) => `Field: [${show(p.field)}] not found in model`],
  field_readonly: [403, (p: Named) => `Field: [${p.field}] is readonly do not supply in request`],
  field_required: [403, (p: Named) => `Field: [${p.field}] is required and not supplied in request`],
  field_empty: [403, (p: Named) => `Field: [${p.field}] is required and cannot be empty`],
  field_primary: [403, (p: Named) => `Field: [${p.field}] is primary ID do not supply in request`],
  field_fixed: [409, (p: Named) => `Cannot update [${p.field}]`],
  array_empty: [403, (p: Named) => `Field: [${p.field}] minimum 1 element is required in array`],
  value_wrong_type: [
    403,
    (p: Valued & { datatype: string }) =>
      `Field: [${p.field}] has an invalid value: [${show(p.value)}] for datatype: ${p.datatype}`,
  ],
  value_too_long: [
    403,
    (p: Named & { length: number; datatype: string; limit: number }) =>
      `Field: [${p.field}] valuelength: [${p.length}] too long for datatype: ${p.datatype}: [${p.limit}]`,
  ],
  value_invalid: [
    403,
    (p: Valued & { validation: string }) =>
      `Field: [${p.field}] has an invalid value: [${show(p.value)}] for validation: [${p.validation}]`,
  ],
  value_not_after: [
    403,
    (p: Valued & { other: string; otherValue: unknown }) =>
      `Field: [${p.field}] value: [${show(p.value)}] date must be after Field: [${p.other}] value: [${show(p.otherValue)}]`,
  ],
  value_duplicate: [
    409,
    (p: Valued) => `Field: [${p.field}] value: [${show(p.value)}] has a duplicate illegal value`,
  ],
  // Only for PUT, the specification writes "Value" with a capital.
  value_duplicate_on_put: [
    409,
    (p: Valued) => `Field: [${p.field}] Value: [${show(p.value)}] has a duplicate illegal value`,
  ],
  reference_unknown: [404, (p: Valued) => `Field: [${p.field}] value: [${show(p.value)}] ID not found`],

  // Records
  primary_id_malformed: [403, () => 'Primary ID is invalid'],
  primary_id_invalid: [400, () => 'Primary ID is not an valid ID'],
  primary_id_missing: [403, () => 'No primary ID provided'],
  record_unknown: [404, (p: Valued) => `Field: [${p.field}] value: [${show(p.value)}] not found`],
  record_in_use: [406, (p: Named & { resource: string }) => `Field: [${p.field}] in use at: [${p.resource}]`],
  record_held: [409, (p: Named & { resource: string }) => `Field: [${p.field}] in use at: [${p.resource}]`],
  record_system: [409, () => 'This is a system record, fields cannot be changed'],
  record_system_delete: [409, () => 'This is a system-record, record cannot be deleted'],
  record_blocked: [409, () => 'This is a blocked record, fields cannot be changed, only update: is_blocked'],
  record_archived: [
    409,
    () => 'This is an archived record, fields cannot be changed, only update: is_archived',
  ],
  record_frozen: [
    409,
    (p: { resource: string; state: string }) => `[${p.resource}] is [${p.state}], cannot add/update/delete`,
  ],
  /** Names an employee or a workplace that has another appointment at that time. */
  record_occupied: [
    409,
    (p: Named & { resource: string }) => `[${p.resource}] is [occupied], cannot add/update/delete`,
  ],
  /** An employee or a workplace has too many. */
  too_many_workhours: [409, () => 'Too many workhours'],
  too_many_vatregimes: [409, () => 'Too many vatregimes'],
  admin_needed: [409, () => 'Owner needs an ADMIN'],
  /** A cursor of /changes. */
  cursor_expired: [410, () => 'Cursor is expired, start again from an export'],
  too_many_waiting: [429, () => 'Too many requests of this owner wait'],
  record_changed: [412, () => 'Record was changed by another request'],
  idempotency_key_reused: [422, () => 'Idempotency-Key was used with another request'],
  idempotency_key_running: [409, () => 'A request with this Idempotency-Key is in progress'],

  // Authentication
  not_authorized: [401, () => 'Not authorized'],
  authorization_missing: [401, () => 'Missing authorization'],
  token_invalid: [401, () => 'Token invalid'],
  signature_invalid: [403, () => 'Not authorized'],
  external_user: [403, () => 'An external user cannot login, contact the vendor servicedesk'],
  emailaddress_missing: [
    400,
    (p: { id: number }) => `Er is geen e-mailadres bekend voor gebruiker: [${p.id}]`,
  ],
  emailaddress_invalid: [403, (p: Valued) => `Field: [${p.field}] value: [${show(p.value)}] not valid`],
  too_many_attempts: [429, () => 'Too many attempts'],
  key_forbids: [
    403,
    (p: { endpoint: string }) => `Endpoint: [${p.endpoint}] is not allowed for this api_key`,
  ],
  role_forbids: [403, (p: { endpoint: string }) => `Endpoint: [${p.endpoint}] is not allowed for this user`],

  // Downloads
  range_invalid: [416, () => 'Range can not be satisfied'],

  // Jobs
  too_many_jobs: [429, () => 'Too many jobs'],
  too_many_uploads: [429, () => 'Too many uploads'],
  job_over: [409, (p: { status: string }) => `[job] is [${p.status}], cannot cancel`],
  job_not_called_back: [409, (p: { status: string }) => `[job] is [${p.status}], cannot redeliver`],

  // Events
  too_many_subscriptions: [409, () => 'Too many subscriptions'],
  subscription_inactive: [
    409,
    (p: { state: string }) => `[webhooksubscription] is [${p.state}], cannot deliver`,
  ],

  // Per endpoint
  document_missing: [403, () => 'No external document found'],
  address_too_long: [
    403,
    (p: Named & { length: number; datatype: string; limit: number }) =>
      `Field: [${p.field}] valuelength: [${p.length}] too long for type ${p.datatype} (${p.limit})`,
  ],
  vehicle_has_owner: [403, () => 'Vehicleroleline is invalid a Vehicle can only have one owner'],
  value_not_allowed: [409, (p: Valued) => `Field: [${p.field}] value: [${show(p.value)}] is not alowed`],
  vehicle_published: [
    403,
    (p: { id: number }) => `Vehicle with id: [${p.id}] has publish status: published delete not allowed`,
  ],
  license_plate_fixed: [
    409,
    () => 'The change of the licenseplate is not allowed via put, use /updatelicenseplate.',
  ],
  username_missing: [406, () => 'Value username missing.'],
  publish_field_required: [
    403,
    (p: Valued) => `Field: [${p.field}] value: [${show(p.value)}] is required vehicle not published`,
  ],
  publish_site_required: [403, () => 'Vehicleadvertisementsite is required, vehicle not published'],
  flatrateline_invalid: [403, (p: Valued) => `Field: [${p.field}] has an invalid value [${show(p.value)}]`],
} as const satisfies Record<string, readonly [status: number, text: (p: never) => string]>;

export type Code = keyof typeof CATALOGUE;
type Params<C extends Code> = Parameters<(typeof CATALOGUE)[C][1]>[0];

/** The status and the text of each code; `{field}` stands for a parameter of that name. */
export function errorTexts(): Record<string, readonly [status: number, text: string]> {
  const names = new Proxy(
    {},
    { get: (_, name) => (LISTED.has(String(name)) ? [`{${String(name)}}`] : `{${String(name)}}`) },
  );
  const texts = Object.entries(CATALOGUE).map(([code, [status, text]]) => [
    code,
    [status, text(names as never)],
  ]);
  return Object.fromEntries(texts);
}

/** The parameters that are several names. */
const LISTED = new Set(['fields', 'types']);

/** One reason to refuse a request, in the form of the answer's `errors`. */
export interface Violation {
  status: number;
  code: Code;
  message: string;
  field?: string;
  value?: unknown;
  /** The record that the violation is about, if the request addresses another one. */
  resource?: string;
  id?: number;
  /** How many violations it stands for, if not one. An answer counts them, and shows none. */
  count?: number;
}

/** Makes a violation from an entry of the catalogue. */
export function violation<C extends Code>(
  code: C,
  ...[params]: Params<C> extends undefined ? [] : [params: Params<C>]
): Violation {
  const [status, text]: readonly [number, (p: never) => string] = CATALOGUE[code];
  const named = (params ?? {}) as { field?: string; value?: unknown };
  const made: Violation = { status, code, message: text(params as never) };
  if (named.field !== undefined) made.field = named.field;
  if ('value' in named && named.value !== HIDDEN) made.value = cut(named.value);
  madeOf.set(made, [code, named]);
  return made;
}

/** Names the record of the violations, if it is not the record that the request addresses. */
export const about = (resource: string, id: number, found: readonly Violation[]): Violation[] =>
  found.map((one) => copyOf(one, { ...one, resource, id }));

/** The violation without the record that it names. */
export function aboutNobody(found: Violation): Violation {
  const { resource: _, id: __, ...rest } = found;
  return copyOf(found, rest);
}

/** Whether the violation says that another record has the value. */
export const isDuplicate = ({ code }: Violation): boolean =>
  code === 'value_duplicate' || code === 'value_duplicate_on_put';

/**
 * The parts that made each violation. They are in a map, because a violation may go to another thread and a symbol
 * can't.
 */
const madeOf = new WeakMap<Violation, readonly [Code, { field?: string; other?: string }]>();

function copyOf(found: Violation, copy: Violation): Violation {
  const parts = madeOf.get(found);
  if (parts) madeOf.set(copy, parts);
  return copy;
}

/** The violation as it reads for a field of an element: `price` becomes `orderline[1].price`. */
export function inside(found: Violation, element: string): Violation {
  const [code, params] = madeOf.get(found) ?? [];
  // A violation without a field names the element.
  if (code === undefined || params?.field === undefined) return { ...found, field: element };
  const renamed = { ...params, field: `${element}.${params.field}` };
  if (params.other !== undefined) renamed.other = `${element}.${params.other}`;
  const made = (violation as (code: Code, params: unknown) => Violation)(code, renamed);
  const { resource, id } = found;
  return resource === undefined || id === undefined ? made : (about(resource, id, [made])[0] ?? made);
}

/** A refused request: at least one violation, and headers of the answer such as `Allow` and `Retry-After`. */
export class Problem extends Error {
  readonly violations: readonly Violation[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(violations: Violation | readonly Violation[], headers: Record<string, string> = {}) {
    const all = [violations].flat();
    super(all[0]?.message);
    this.name = 'Problem';
    this.violations = all;
    this.headers = headers;
  }

  get status(): number {
    return this.violations[0]?.status ?? 500;
  }
}

/** A Problem with one violation: `throw problem('field_readonly', { field })`. */
export function problem<C extends Code>(
  code: C,
  ...params: Params<C> extends undefined ? [] : [params: Params<C>]
): Problem {
  return new Problem(violation(code, ...params));
}

/** Stands for the value of a write-only field: a message prints `[...]`, and the entry has no `value`. */
export const HIDDEN = Symbol('hidden value');

const SHOWN_CHARACTERS = 100;

/** Formats a value for a message: scalars as text, others as compact JSON, cut at 100 characters. */
function show(value: unknown): string {
  const text = printed(value);
  return isLong(text) ? `${charactersOf(text).slice(0, SHOWN_CHARACTERS).join('')}…` : text;
}

/** A value as an entry of `errors` has it: as it was sent, or cut like the value in the message. */
function cut(value: unknown): unknown {
  return isLong(printed(value)) ? show(value) : value;
}

function printed(value: unknown): string {
  if (value === HIDDEN) return '...';
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

const isLong = (text: string) =>
  text.length > SHOWN_CHARACTERS && charactersOf(text).length > SHOWN_CHARACTERS;

/** Enough of a text to cut it. A character takes one or two units of UTF-16. */
const charactersOf = (text: string) => Array.from(text.slice(0, 2 * SHOWN_CHARACTERS + 2));
