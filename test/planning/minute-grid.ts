// Free slots, found minute by minute: slow, and written without the service's arithmetic. Intl.DateTimeFormat is its
// clock.

export interface Rows {
  readonly employees: readonly { id: number; start_date: number | null; end_date: number | null }[];
  /** In the order in which they are offered. */
  readonly workplaces: readonly number[];
  readonly hours: readonly Hours[];
  readonly absences: readonly Times[];
  readonly appointments: readonly Times[];
}

interface Whose {
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

const MINUTE = 60_000;
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

/** The slots of the interval: `[start, employee, workplace]`. */
export function slotsByMinute(
  rows: Rows,
  { from, until, minutes, timezone }: { from: number; until: number; minutes: number; timezone: string },
): [number, number, number][] {
  const isWorked = workedMinutes(rows.hours, showMinutes(from - MARGIN, until + MARGIN, timezone));
  const isFree = (whose: Whose, at: number): boolean => {
    const isSame = (row: Whose) =>
      (row.employee_id !== null && row.employee_id === whose.employee_id) ||
      (row.workplace_id !== null && row.workplace_id === whose.workplace_id);
    const isOfAll = (row: Whose) => row.employee_id === null && row.workplace_id === null;
    const isIn = (row: Times) => row.starts_at <= at && at < row.ends_at;
    if (rows.absences.some((row) => (isSame(row) || isOfAll(row)) && isIn(row))) return false;
    if (rows.appointments.some((row) => isSame(row) && isIn(row))) return false;
    const hours = rows.hours.filter(isSame);
    if (hours.length === 0) return whose.employee_id === null;
    return hours.some((row) => isWorked(row, at));
  };
  const isFreeFor = (whose: Whose, start: number): boolean => {
    for (let minute = 0; minute < minutes; minute += 1)
      if (!isFree(whose, start + minute * MINUTE)) return false;
    return true;
  };
  const found: [number, number, number][] = [];
  for (let start = from; start + minutes * MINUTE <= until && found.length < 100; start += MINUTE) {
    if (start % (15 * MINUTE) !== 0) continue;
    const end = start + minutes * MINUTE;
    const employee = rows.employees
      .filter(({ start_date, end_date }) => (start_date ?? start) <= start && end <= (end_date ?? end))
      .map(({ id }) => id)
      .sort((a, b) => a - b)
      .find((id) => isFreeFor({ employee_id: id, workplace_id: null }, start));
    if (employee === undefined) continue;
    const workplace = rows.workplaces.find((id) => isFreeFor({ employee_id: null, workplace_id: id }, start));
    if (workplace !== undefined) found.push([start, employee, workplace]);
  }
  return found;
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
