// Free slots, found minute by minute: slow, and written without the service's arithmetic. Intl.DateTimeFormat is its
// clock. A night is the first minute of a date that both do not work.

export interface Rows {
  readonly employees: readonly { id: number; start_date: number | null; end_date: number | null }[];
  /** In the order in which they are offered. */
  readonly workplaces: readonly number[];
  readonly hours: readonly Hours[];
  readonly absences: readonly Absence[];
  readonly appointments: readonly Booked[];
}

export interface Whose {
  readonly employee_id: number | null;
  readonly workplace_id: number | null;
}

export interface Hours extends Whose {
  readonly weekday: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly valid_from: number | null;
  readonly valid_until: number | null;
}

/** Milliseconds since 1970. */
export interface Times extends Whose {
  readonly starts_at: number;
  readonly ends_at: number;
}

export interface Absence extends Times {
  readonly id: number;
}

export interface Booked extends Times {
  readonly id: number;
  readonly is_overtime: number;
  readonly is_over_breaks: number;
}

/** Where and when a grid looks. */
interface Around {
  readonly from: number;
  readonly until: number;
  readonly timezone: string;
}

export interface Asked {
  /** Within the grid, and its beginning. */
  readonly until: number;
  readonly minutes: number;
  readonly overBreaks: boolean;
  readonly employee?: number;
  readonly workplace?: number;
  /** The appointment whose time is free. */
  readonly without?: number;
}

/** `[start, end, employee, workplace]` */
type Slot = [number, number, number, number];

const MINUTE = 60_000;
const MOST = 100;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Whole days before and behind the asked interval, so that no date is shown in part. */
const MARGIN = 50 * 60 * MINUTE;

/** The local time of an instant: the date, the weekday, and the minutes since midnight. */
interface Shown {
  readonly at: number;
  readonly date: string;
  readonly weekday: number;
  readonly minutes: number;
}

/** What somebody does in each minute of the grid. */
interface Minutes {
  readonly id: number;
  readonly works: readonly boolean[];
  readonly isTaken: (minute: number, without: number | undefined) => boolean;
}

/** Answers the first slots from the beginning of the grid, and whether there are more. */
export function minuteGrid(rows: Rows, { from, until, timezone }: Around) {
  const shown = showMinutes(from - MARGIN, until + MARGIN, timezone);
  const inside = shown.filter(({ at }) => from <= at && at < until);
  const look = lookAt(
    rows,
    inside.map(({ at }) => at),
    shown,
  );
  const employees = rows.employees
    .toSorted((one, other) => one.id - other.id)
    .map((employee) => look({ employee_id: employee.id, workplace_id: null }, employee));
  const workplaces = rows.workplaces.map((id) => look({ employee_id: null, workplace_id: id }, ALWAYS));
  const dates = shown.map(({ date }) => date);
  const first = shown.findIndex(({ at }) => at === from);
  const isMidnight = inside.map((_, minute) => dates[first + minute] !== dates[first + minute - 1]);
  return (asked: Asked): { slots: Slot[]; hasMore: boolean } => {
    const pairs = employees
      .filter(({ id }) => asked.employee === undefined || asked.employee === id)
      .flatMap((employee) => workplaces.map((workplace) => ({ employee, workplace })))
      .filter(({ workplace: { id } }) => asked.workplace === undefined || asked.workplace === id);
    const slots: Slot[] = [];
    for (let start = 0; start < (asked.until - from) / MINUTE && slots.length <= MOST; start += 1) {
      if ((from / MINUTE + start) % 15 !== 0) continue;
      for (const { employee, workplace } of pairs) {
        const end = endOf([employee, workplace], start, asked, isMidnight);
        if (end === undefined || from + end * MINUTE > asked.until) continue;
        slots.push([from + start * MINUTE, from + end * MINUTE, employee.id, workplace.id]);
        break;
      }
    }
    return { slots: slots.slice(0, MOST), hasMore: slots.length > MOST };
  };
}

/** By the date, the minutes that employees work, and those for which they are booked. */
export function loadByMinute(
  rows: Rows,
  { from, until, timezone }: Around,
): [date: string, number, number][] {
  const shown = showMinutes(from - MARGIN, until + MARGIN, timezone);
  const inside = shown.filter(({ at }) => from <= at && at < until);
  const look = lookAt(
    rows,
    inside.map(({ at }) => at),
    shown,
  );
  const load = new Map(inside.map(({ date }) => [date, { capacity: 0, planned: 0 }]));
  for (const { id, ...contract } of rows.employees) {
    const whose = { employee_id: id, workplace_id: null };
    const hasHours = rows.hours.some(({ employee_id }) => employee_id === id);
    const [employed, always] = [look(whose, contract), look(whose, ALWAYS)];
    const booked = rows.appointments.filter(({ employee_id }) => employee_id === id);
    for (const [minute, { at, date }] of inside.entries()) {
      const day = load.get(date);
      if (!day) continue;
      if (hasHours && employed.works[minute]) day.capacity += 1;
      for (const { starts_at, ends_at, is_overtime, is_over_breaks } of booked) {
        const counts = is_over_breaks === 0 || is_overtime === 1 || always.works[minute] || !hasHours;
        if (starts_at <= at && at < ends_at && counts) day.planned += 1;
      }
    }
  }
  return [...load].map(([date, { capacity, planned }]) => [date, capacity, planned]);
}

/** The conflicts of appointments: `[appointment, absence]`, and null for the hours. */
export function causesByMinute(rows: Rows, { from, until, timezone }: Around): [number, number | null][] {
  const isIncluded = workedMinutes(rows.hours, showMinutes(from - MARGIN, until + MARGIN, timezone));
  const isWorked = (field: keyof Whose, one: Booked, at: number) => {
    const hours = rows.hours.filter((row) => row[field] === one[field]);
    return one[field] === null || hours.length === 0 || hours.some((row) => isIncluded(row, at));
  };
  const sorted = rows.appointments.toSorted((a, b) => a.starts_at - b.starts_at || a.id - b.id);
  return sorted.flatMap((one) => {
    const { id, starts_at, ends_at, is_overtime, is_over_breaks } = one;
    const absences = rows.absences.filter(
      (row) =>
        (row.employee_id === null || row.employee_id === one.employee_id) &&
        (row.workplace_id === null || row.workplace_id === one.workplace_id) &&
        row.starts_at < ends_at &&
        row.ends_at > starts_at,
    );
    const all = Array.from({ length: (ends_at - starts_at) / MINUTE }, (_, at) => starts_at + at * MINUTE);
    const bound = is_over_breaks === 1 ? [starts_at, ends_at - MINUTE] : all;
    const isOutside = !bound.every(
      (at) => isWorked('employee_id', one, at) && isWorked('workplace_id', one, at),
    );
    const hours = is_overtime === 0 && isOutside ? [null] : [];
    return [...absences.map((row) => row.id).sort((a, b) => a - b), ...hours].map(
      (cause): [number, number | null] => [id, cause],
    );
  });
}

/** The minute at which both have worked for so long, if both can begin in that one. */
function endOf(
  both: readonly Minutes[],
  first: number,
  { minutes, overBreaks, without }: Asked,
  isMidnight: readonly boolean[],
): number | undefined {
  let worked = 0;
  for (let minute = first; minute < isMidnight.length; minute += 1) {
    const isWorked = both.every(({ works }) => works[minute]);
    const isBreak = overBreaks && minute > first && !isMidnight[minute];
    if (!isWorked && !isBreak) return undefined;
    if (both.some(({ isTaken }) => isTaken(minute, without))) return undefined;
    if (isWorked) worked += 1;
    if (worked === minutes) return minute + 1;
  }
  return undefined;
}

type Employed = Pick<Rows['employees'][number], 'start_date' | 'end_date'>;
const ALWAYS: Employed = { start_date: null, end_date: null };

function lookAt(rows: Rows, instants: readonly number[], shown: readonly Shown[]) {
  const isIncluded = workedMinutes(rows.hours, shown);
  const isIn = (row: Times, at: number) => row.starts_at <= at && at < row.ends_at;
  return (whose: Whose, { start_date, end_date }: Employed): Minutes => {
    const isSame = (row: Whose) =>
      (row.employee_id !== null && row.employee_id === whose.employee_id) ||
      (row.workplace_id !== null && row.workplace_id === whose.workplace_id);
    const isOfAll = (row: Whose) => row.employee_id === null && row.workplace_id === null;
    const hours = rows.hours.filter(isSame);
    const away = rows.absences.filter((row) => isSame(row) || isOfAll(row));
    const taken = instants.map((at) => rows.appointments.filter((row) => isSame(row) && isIn(row, at)));
    const isAlways = hours.length === 0 && whose.employee_id === null;
    return {
      id: whose.employee_id ?? whose.workplace_id ?? 0,
      works: instants.map(
        (at) =>
          (isAlways || hours.some((row) => isIncluded(row, at))) &&
          !away.some((row) => isIn(row, at)) &&
          (start_date ?? at) <= at &&
          at < (end_date ?? at + MINUTE),
      ),
      isTaken: (minute, without) => taken[minute]?.some(({ id }) => id !== without) === true,
    };
  };
}

/**
 * Whether a row of hours includes a minute. On each date the row goes from the first minute that shows its start to the
 * last one that shows its end; if the clock skips a time, the next minute that it shows counts.
 */
function workedMinutes(hours: readonly Hours[], shown: readonly Shown[]) {
  const worked = new Map(hours.map((row) => [row, new Set<number>()]));
  const dates = new Set(shown.map(({ date }) => date));
  for (const date of dates) {
    const ofDate = shown.filter((minute) => minute.date === date);
    for (const row of hours) {
      if (row.weekday !== ofDate[0]?.weekday) continue;
      const [from, until] = [minutesOf(row.start_time), minutesOf(row.end_time)];
      const first = ofDate.findIndex(({ minutes }) => minutes >= from);
      const exact = ofDate.findLastIndex(({ minutes }) => minutes === until);
      const end = exact >= 0 ? exact : ofDate.findLastIndex(({ minutes }) => minutes < until) + 1;
      if (first < 0) continue;
      for (const { at } of ofDate.slice(first, end)) {
        const isValid =
          (row.valid_from === null || row.valid_from <= at) &&
          (row.valid_until === null || at < row.valid_until);
        if (isValid) worked.get(row)?.add(at);
      }
    }
  }
  return (row: Hours, at: number): boolean => worked.get(row)?.has(at) === true;
}

const minutesOf = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

function showMinutes(from: number, until: number, timezone: string): Shown[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    day: '2-digit',
    month: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const shown: Shown[] = [];
  for (let at = from; at < until; at += MINUTE) {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    shown.push({
      at,
      date: `${parts.get('month')}-${parts.get('day')}`,
      weekday: WEEKDAYS.indexOf(parts.get('weekday') ?? '') + 1,
      minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
    });
  }
  return shown;
}
