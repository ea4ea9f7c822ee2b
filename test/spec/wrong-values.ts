// Bodies with one value of the wrong datatype or too long, by the name of their row. POST and PUT refuse them alike.
interface WrongValue {
  readonly resource: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The values of the row's placeholders. */
  readonly values: readonly (string | number)[];
}

export const WRONG_VALUES = {
  'varchar too long': {
    resource: 'order',
    body: { reference: '😀'.repeat(61) },
    values: ['reference', 61, 60],
  },
  'text too long': {
    resource: 'order',
    body: { description: 'x'.repeat(16_001) },
    values: ['description', 16_001, 16_000],
  },
  'Invalid timestamp': {
    resource: 'order',
    body: { order_date: '2026-02-30' },
    values: ['order_date', '2026-02-30'],
  },
  'Invalid float8': { resource: 'article', body: { price: '12.50' }, values: ['price', '12.50'] },
  'Invalid int4': { resource: 'order', body: { mileage: 1.5 }, values: ['mileage', '1.5'] },
  'Invalid varchar': { resource: 'order', body: { reference: 5 }, values: ['reference', 5] },
} as const satisfies Record<string, WrongValue>;

export const WRONG_NAMES = Object.keys(WRONG_VALUES) as (keyof typeof WRONG_VALUES)[];
