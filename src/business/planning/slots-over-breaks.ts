// Free slots that may pass breaks of a day. A slot takes its employee and its workplace from start to end, and its
// length counts only where both work. So its end depends on both, and each pair is looked at.
import { portionsOf } from '../../core/trade/grouped.ts';
import { common, type IntervalSet } from '../../core/trade/time/interval.ts';
import type { AtWork } from './at-work.ts';
import { type Board, employeesAtWork, MOST_SLOTS, type Slot, workplacesAtWork } from './board.ts';
import type { BookedField } from './booked.ts';
import { NOBODY, type Starts } from './grid.ts';

/** Workplaces that are in memory at once. */
const BLOCK = 200;

interface Candidate extends AtWork {
  /**
   * For each start, by when a slot that begins there must have ended: before the next appointment, a night and the end
   * of the interval. 0: none can begin there, whatever the other one does.
   */
  readonly ends: Float64Array;
}

/** One slot more than are answered, if there are so many. */
export async function findOverBreaks(board: Board): Promise<Slot[]> {
  const { starts, workplaces, asked } = board;
  const found = new Found(starts);
  for (const block of portionsOf(workplaces, BLOCK)) {
    const candidates = new Map<number, Candidate>();
    for await (const one of workplacesAtWork(board, block))
      candidates.set(one.id, await candidate(board, 'workplace_id', one));
    for await (const one of employeesAtWork(board)) {
      const employee = await candidate(board, 'employee_id', one);
      let left = found.open(employee);
      for (const id of block) {
        const workplace = candidates.get(id);
        if (!workplace || left.length === 0) continue;
        const pause = asked.pieces.add(left.length + one.times.length);
        if (pause) await pause;
        left = pair(employee, workplace, left, found);
      }
      found.shorten();
    }
  }
  return found.slots();
}

async function candidate(board: Board, field: BookedField, one: AtWork): Promise<Candidate> {
  const { starts, booked, asked } = board;
  const midnights = asked.calendar.days.map(({ start }) => start);
  const missed = midnights.filter((instant) => !one.times.covers({ start: instant, end: instant + 1 }));
  const pause = asked.pieces.add(starts.count + one.times.length);
  if (pause) await pause;
  return { ...one, ends: latestEnds(one.times, { booked: booked.of(field, one.id), missed }, starts) };
}

/**
 * `missed`: the midnights at which it does not work, as the first instants of their days. Each begins a night, however
 * short: who works through midnight has no night there. A midnight that the clock skips is the moment after the gap.
 */
function latestEnds(
  times: IntervalSet,
  { booked, missed }: { booked: IntervalSet | undefined; missed: readonly number[] },
  starts: Starts,
): Float64Array {
  const ends = new Float64Array(starts.count);
  const worked = workedBefore(times);
  const nextTaken = () =>
    booked && taken < booked.length ? (booked.starts[taken] as number) : starts.within.end;
  // All of these only go up with the starts.
  let [taken, night, last] = [0, 0, 0];
  for (let at = 0; at < times.length; at += 1) {
    const [begin, end] = [times.starts[at] as number, times.ends[at] as number];
    const until = Math.min(starts.count - 1, starts.notAfter(end - 1));
    for (let index = starts.notBefore(begin); index <= until; index += 1) {
      const start = starts.at(index);
      while (booked && taken < booked.length && (booked.ends[taken] as number) <= start) taken += 1;
      if (nextTaken() <= start) continue;
      while (night < missed.length && (missed[night] as number) < start) night += 1;
      const latest = Math.min(missed[night] ?? starts.within.end, nextTaken(), starts.within.end);
      last = Math.max(last, at);
      while (last + 1 < times.length && (times.starts[last + 1] as number) < latest) last += 1;
      const before = (worked[at] as number) + start - begin;
      const after = (worked[last] as number) + Math.min(times.ends[last] as number, latest);
      if (after - (times.starts[last] as number) - before >= starts.length) ends[index] = latest;
    }
  }
  return ends;
}

/** For each interval, how long those before it are. */
function workedBefore(times: IntervalSet): Float64Array {
  const worked = new Float64Array(times.length);
  for (let index = 1; index < times.length; index += 1)
    worked[index] =
      (worked[index - 1] as number) + (times.ends[index - 1] as number) - (times.starts[index - 1] as number);
  return worked;
}

/** Notes the starts at which both can begin and end. Answers the other ones of `left`. */
function pair(
  employee: Candidate,
  workplace: Candidate,
  left: readonly number[],
  found: Found,
): readonly number[] {
  const { starts } = found;
  const open = left.filter((index) => workplace.ends[index] !== 0);
  const [first, final] = [open[0], open.at(-1)];
  if (first === undefined || final === undefined) return left;
  const bounds = { start: starts.at(first), end: employee.ends[final] as number };
  const both = common(employee.times, workplace.times, bounds);
  const worked = workedBefore(both);
  const through = (index: number) =>
    (worked[index] as number) + (both.ends[index] as number) - (both.starts[index] as number);
  const done = new Set<number>();
  let [at, last] = [0, 0];
  for (const index of open) {
    const start = starts.at(index);
    while ((both.ends[at] as number) <= start) at += 1;
    const enough = (worked[at] as number) + start - (both.starts[at] as number) + starts.length;
    last = Math.max(last, at);
    while (last < both.length && through(last) < enough) last += 1;
    if (last === both.length) break;
    const end = (both.ends[last] as number) - through(last) + enough;
    if (end > (employee.ends[index] as number) || end > (workplace.ends[index] as number)) continue;
    found.note(index, { start, end, employee: employee.id, workplace: workplace.id });
    done.add(index);
  }
  return done.size === 0 ? left : left.filter((index) => !done.has(index));
}

/** The best slot of each start so far: the lowest employee, and then the first workplace. */
class Found {
  readonly starts: Starts;
  private readonly employees: Int32Array;
  private readonly best = new Map<number, Slot>();
  /** Later starts can't be among the answered slots any more. */
  private count: number;

  constructor(starts: Starts) {
    this.starts = starts;
    this.employees = starts.nobody();
    this.count = starts.count;
  }

  /** The starts at which the employee could begin, and would come before the employee who was found. */
  open({ id, ends }: Candidate): readonly number[] {
    const open: number[] = [];
    for (let index = 0; index < this.count; index += 1)
      if (ends[index] !== 0 && id < (this.employees[index] as number)) open.push(index);
    return open;
  }

  note(index: number, slot: Slot): void {
    this.employees[index] = slot.employee;
    this.best.set(index, slot);
  }

  /** Leaves out starts behind as many slots as are answered, and one. */
  shorten(): void {
    let slots = 0;
    for (let index = 0; index < this.count && slots <= MOST_SLOTS; index += 1) {
      if (this.employees[index] === NOBODY) continue;
      slots += 1;
      if (slots > MOST_SLOTS) this.count = index + 1;
    }
  }

  slots(): Slot[] {
    return [...this.best].sort(([one], [other]) => one - other).map(([, slot]) => slot);
  }
}
