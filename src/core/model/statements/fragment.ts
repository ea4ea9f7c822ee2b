// Pieces of SQL that the query builder lacks, each once and by name. Their texts are constants; columns and values
// are bound.
import { type AnyQueryBuilder, type Raw, type RawBuilder, raw } from 'objection';
import { CLOCKS_APART_MS } from '../../trade/time/timestamp.ts';
import type { Shown } from '../fields/options.ts';

// The database's clock, in UTC and to the millisecond: processes on several machines agree by it.
export const now = (): RawBuilder => raw('UTC_TIMESTAMP(3)');
export const secondsFromNow = (seconds: number): RawBuilder =>
  raw('UTC_TIMESTAMP(3) + INTERVAL ? SECOND', [seconds]);
/** So many seconds from now by the clock of any machine. */
export const latestFrom = (seconds: number): RawBuilder => secondsFromNow(seconds + CLOCKS_APART_MS / 1000);
/** Now by the clock of any machine. */
export const latestNow = (): RawBuilder => latestFrom(0);

/** Dates the rows anew that a clock which ran ahead has dated: they would be kept until that time, and longer. */
export const dateNoLater = (
  rows: AnyQueryBuilder,
  column: string,
  latest = latestNow(),
): PromiseLike<number> => rows.patch({ [column]: now() }).where(column, '>', latest);

/** 1 if an instant lies more than that many days back, else 0. */
export const isOlder = (column: string, days: number): RawBuilder =>
  raw('?? < UTC_TIMESTAMP(3) - INTERVAL ? DAY', [column, days]);

/** One row, so that a query whose joins find nothing answers a row too. */
export const oneRow = (): Raw => raw('(SELECT 1) AS one_row');

/** 1 if the query finds a row, else 0. */
export const exists = (query: AnyQueryBuilder, name: string): RawBuilder =>
  raw('EXISTS (?) AS ??', [query, name]);

/** Whether a query with a limit of 1 finds a row. MariaDB would first read all rows that an EXISTS may compare with. */
export const isFound = (query: AnyQueryBuilder): RawBuilder => raw('(?) IS NOT NULL', [query]);

/** The number of rows. */
export const rowCount = (): RawBuilder => raw('COUNT(*)');

export const opposite = (column: string): Raw => raw('-??', [column]);
export const plusOne = (column: string): Raw => raw('?? + 1', [column]);
/** The same, and a sum of flags becomes the insert ID of the statement: 1 if `one` is set, and 2 if `two` is. */
export const plusOneWithFlags = (column: string, one: string, two: string): Raw =>
  raw('?? + 1 + 0 * LAST_INSERT_ID(?? + 2 * ??)', [column, one, two]);
/** Sorts empty values behind all others. */
export const emptyLast = (column: string): Raw => raw('?? IS NULL', [column]);

/** Sorts rows with that value before all others. */
export const valueFirst = (column: string, value: string): Raw => raw('?? <> ?', [column, value]);

/**
 * An instant as text of one length: the driver would put it together from its parts, which takes longer than all else
 * that a row costs, and would leave out a fraction of zero. ORDER BY must name the table, since the text has the
 * column's name.
 */
export const instantText = (table: string, column: string, name = column): RawBuilder =>
  instant(`${table}.${column}`).as(name);
export const instant = (column: string): RawBuilder => raw('CAST(?? AS CHAR)', [column]);

/**
 * Whether somebody holds a lease of that many seconds. A lease that ends further ahead than twice its length is no
 * lease: the clock has gone back since it was taken.
 */
export const isLeased = (lease: string, seconds: number): RawBuilder =>
  raw('(?? BETWEEN UTC_TIMESTAMP(3) AND UTC_TIMESTAMP(3) + INTERVAL ? SECOND)', [lease, 2 * seconds]);

/** The opposite of isLeased. True also for a lease that was never taken. */
export const isFree = (lease: string, seconds: number): RawBuilder =>
  raw('(?? IS NULL OR NOT ?)', [lease, isLeased(lease, seconds)]);

/**
 * Whether a time when work is due lies ahead only because the clock has gone back: the first try waits for no time, and
 * a later one for its pause and `spare` seconds at most. Nobody can tell how much of the pause has passed, so such work
 * is due at once, and one try may come early. `pauses`: the seconds after the first, second, … try.
 */
export const isStranded = (
  { due, tries }: { due: string; tries: string },
  pauses: readonly number[],
  spare: number,
): RawBuilder =>
  raw(
    `(?? > UTC_TIMESTAMP(3) AND (?? = 0 OR ?? > UTC_TIMESTAMP(3) + INTERVAL ? + ELT(??${', ?'.repeat(pauses.length)}) SECOND))`,
    [due, tries, due, spare, tries, ...pauses],
  );

/** A decimal bound as text would be compared as a binary float. */
export const decimalValue = (value: string): Raw => raw('CAST(? AS DECIMAL(40, 10))', [value]);

/** The first characters of a long text, which lists are sorted by. */
export const beginning = (column: string, characters: number): Raw =>
  raw('LEFT(??, ?)', [column, characters]);

/** `pattern` has `%` for any run of characters; `!` takes the meaning of the character behind it. */
export const matches = (column: string, pattern: string): Raw =>
  raw("?? LIKE ? ESCAPE '!'", [column, pattern]);

/** As `matches`, without the server's own range on an index, which lacks texts: lists/enclosing.ts has the whole. */
export const matchesEach = (column: string, pattern: string): Raw =>
  raw("CONCAT(??) LIKE ? ESCAPE '!'", [column, pattern]);

/** Whether a text lies from one text to before another one. */
export const liesBetween = (column: string, from: string, before: string): Raw =>
  raw('(?? >= ? AND ?? < ?)', [column, from, column, before]);

export const anyOf = (conditions: readonly (Raw | RawBuilder)[]): RawBuilder =>
  raw(`(${conditions.map(() => '?').join(' OR ')})`, [...conditions]);

/** Whether the text has what a regular expression says, once single letters are replaced by several. */
export const hasPattern = (
  column: string,
  expression: string,
  replaced: readonly (readonly [letter: string, letters: string])[],
): Raw => {
  const text = replaced.reduce(
    (inner, [letter, letters]) => raw('REPLACE(?, ?, ?)', [inner, letter, letters]),
    raw('??', [column]),
  );
  return raw('? REGEXP ?', [text, expression]);
};

/** As `inLowerCase` of a column with this text: JavaScript has other small letters for some capitals. */
export const valueInLowerCase = (text: string): Raw =>
  raw('LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin)', [text]);

export const inLowerCase = (column: string): Raw => raw('LOWER(??)', [column]);

/** The number of a column as lists show it. */
export const shownNumber = (table: string, column: string, { value, insteadOf, where }: Shown): RawBuilder =>
  raw(`IF(?? IS NOT NULL AND ?? IN (${insteadOf.map(() => '?').join()}), CAST(? AS SIGNED), ??)`, [
    `${table}.${where}`,
    `${table}.${column}`,
    ...insteadOf,
    value,
    `${table}.${column}`,
  ]);

/** A table read on one index, because the server alone would choose a slower one. */
export const onIndex = (table: string, alias: string, index: string): Raw =>
  raw('?? AS ?? FORCE INDEX (??)', [table, alias, index]);

/** A table read without one index, which the server would sometimes take by mistake. */
export const withoutIndex = (table: string, alias: string, index: string): Raw =>
  raw('?? AS ?? IGNORE INDEX (??)', [table, alias, index]);
/** For joinRaw: reads `table` as `t` by the keys found as `k`, in their order, on the index of the key. */
export const joinByKey = (
  table: string,
  { key, index }: { key: string; index: string },
  owner: { column: string; value: string } | undefined,
): [sql: string, bindings: string[]] => {
  const keys = [`t.${key}`, `k.${key}`];
  return owner
    ? [
        'STRAIGHT_JOIN ?? AS t FORCE INDEX (??) ON ?? = ? AND ?? = ??',
        [table, index, `t.${owner.column}`, owner.value, ...keys],
      ]
    : ['STRAIGHT_JOIN ?? AS t FORCE INDEX (??) ON ?? = ??', [table, index, ...keys]];
};

/** For joinRaw: the rows of `table`, as `t`, that refer to the records found as `c`, on the index of the reference. */
export const joinReferring = (
  table: string,
  { field, index }: { field: string; index: string },
  owner: string,
): [sql: string, bindings: string[]] => [
  'STRAIGHT_JOIN ?? AS t FORCE INDEX (??) ON t.owner_id = ? AND ?? = c.id',
  [table, index, owner, `t.${field}`],
];

/** For joinRaw: rows of a table by ID and version, as `given`, each with the text `folded`. */
export const joinGiven = (
  table: string,
  rows: readonly (readonly [id: number, version: number, folded: string])[],
): [sql: string, bindings: (string | number)[]] => [
  `JOIN (${rows.map(() => '(SELECT ? AS id, ? AS version, ? AS folded)').join(' UNION ALL ')}) AS given ON ?? = given.id AND ?? = given.version`,
  [...rows.flat(), `${table}.id`, `${table}.version`],
];

/** `child__position`: the position of a row among the children of its parent, from 1. No field has this name. */
export const positionById = (parent: string): Raw =>
  raw('ROW_NUMBER() OVER (PARTITION BY ?? ORDER BY t.id) AS child__position', [parent]);
export const positionBySortOrder = (parent: string): Raw =>
  raw(
    'ROW_NUMBER() OVER (PARTITION BY ?? ORDER BY t.sort_order IS NULL, t.sort_order, t.id) AS child__position',
    [parent],
  );

/** The value of a counter goes up and is answered as the statement's insert ID. */
export const countedUp = (by: string): Raw => raw('LAST_INSERT_ID(value + ?)', [by]);
export const counted = (value: string): Raw => raw('LAST_INSERT_ID(?)', [value]);
/** The value of a counter, at least this one. A number that comes as text must be compared as a number. */
export const countedTo = (value: string): Raw => raw('GREATEST(value, CAST(? AS SIGNED))', [value]);
/** The number behind another column's number where a column has that number; otherwise nothing. */
export const nextIfSame = (column: string, other: string): Raw =>
  raw('IF(?? = ??, ?? + 1, NULL)', [column, other, other]);
/** The same, with at least that number in place of the next one; otherwise the column stays. */
export const sameOrHigher = (column: string, other: string, value: string): Raw =>
  raw('IF(?? = ??, GREATEST(??, CAST(? AS SIGNED)), ??)', [column, other, other, value, column]);
/** The instant of a column, or a later one. */
export const latestOf = (column: string, at: string): Raw =>
  raw('GREATEST(COALESCE(??, CAST(? AS DATETIME(3))), CAST(? AS DATETIME(3)))', [column, at, at]);
/** How far apart the server puts the IDs of rows that it inserts, as `step`. */
export const AUTO_INCREMENT_STEP = '@@auto_increment_increment AS step';

/** The sum of two columns over all rows. */
export const sumOfSums = (column: string, other: string, name: string): Raw =>
  raw('SUM(?? + ??) AS ??', [column, other, name]);

export const sumOf = (column: string): RawBuilder => raw('SUM(??)', [column]);

/** The payer of an order, by the rule of core/trade/payer.ts. `orders`: the name of the table in the query. */
export const payerOfOrder = (orders: string): RawBuilder =>
  raw('COALESCE(??, ??)', [`${orders}.invoice_contact_id`, `${orders}.contact_id`]);
