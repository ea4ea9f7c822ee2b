// Turns measurements into text: the same tables on the terminal and in RESULTS.md.
import type { Bar } from './chart.ts';
import type { Compared } from './compare.ts';
import { SERVER_LABELS } from './points.ts';
import type { Spread } from './statistics.ts';

/** One row of the table of targets. */
interface Verdict {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
}

/** The outcome of one measurement. */
export interface Measured {
  readonly text: string;
  readonly verdicts: readonly Verdict[];
  /** Only for points that have a floor beside the Koa server. */
  readonly bar?: Bar;
  /** Only with `--other`: a row of the table of both checkouts. */
  readonly otherRow?: readonly string[];
}

type Table = readonly (readonly string[])[];

export function comparedReport(compared: Compared): Measured {
  return {
    text: comparedText(compared),
    verdicts: verdicts(compared),
    bar: barOf(compared),
    otherRow: otherRow(compared),
  };
}

const verdicts = ({ point, ratios }: Compared): Verdict[] =>
  ratios.flatMap(({ of, to, floor, measured }) => {
    if (floor === undefined) return [];
    const what = `${point.title}: ${of} to ${to}, requests per second`;
    return [{ what, target: `≥ ${floor}`, measured: shown(measured), met: measured.median >= floor }];
  });

function barOf({ point, ratios }: Compared): Bar | undefined {
  const toKoa = ratios.find(({ of, to }) => of === SERVER_LABELS.service && to === SERVER_LABELS.koa);
  if (toKoa?.floor === undefined) return undefined;
  const [label = point.title] = point.title.split(';');
  return { label, ratio: toKoa.measured.median, floor: toKoa.floor };
}

function otherRow({ point, figures, ratios }: Compared): string[] | undefined {
  const ratio = ratios.find(({ to }) => to === SERVER_LABELS.other);
  const [service, other] = [figures.get(SERVER_LABELS.service), figures.get(SERVER_LABELS.other)];
  if (!ratio || !service || !other) return undefined;
  const rates = [service.rate.toFixed(0), other.rate.toFixed(0)];
  return [point.name, ...rates, shown(ratio.measured), shown(ratio.cpu)];
}

/** The service of this checkout beside the service of the other one. */
export const otherText = (checkout: string, rows: Table): string =>
  section(
    `Beside ${checkout}`,
    tableText([['req/s', 'service', 'other', 'service to other', 'CPU time to other'], ...rows]),
  );

function comparedText({ point, figures, ratios }: Compared): string {
  const rows = [...figures].map(([name, figure]) => [
    name,
    figure.rate.toFixed(0),
    figure.p50.toFixed(2),
    figure.p99.toFixed(2),
    figure.serverCpu.toFixed(0),
    figure.databaseCpu.toFixed(0),
    figure.memory.toFixed(0),
  ]);
  const head = ['', 'req/s', 'p50 ms', 'p99 ms', 'server CPU µs', 'database CPU µs', 'memory MB'];
  const lines = ratios.map(({ of, to, measured, cpu, floor }) => {
    const target =
      floor === undefined ? '' : `, target ≥ ${floor}${measured.median >= floor ? '' : ': missed'}`;
    return `- ${of} to ${to}: ${shown(measured)}${target}; ${cpu.median.toFixed(2)} times the CPU time per request`;
  });
  return section(`${point.title} (\`${point.name}\`)`, tableText([head, ...rows]), lines.join('\n'));
}

export const verdictsText = (all: readonly Verdict[]): string =>
  tableText([
    ['', 'target', 'measured', ''],
    ...all.map(({ what, target, measured, met }) => [what, target, measured, met ? 'met' : '**missed**']),
  ]);

export const section = (title: string, ...parts: string[]): string => [`## ${title}`, ...parts].join('\n\n');

/** The median and, in brackets, the least and the greatest value. */
export const shown = ({ median, least, greatest }: Spread, decimals = 2): string =>
  `${median.toFixed(decimals)} (${least.toFixed(decimals)} to ${greatest.toFixed(decimals)})`;

/** A Markdown table with aligned columns. */
export function tableText(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join(' | ')} |`;
  const [head = [], ...rows] = table;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(Math.max(0, width - 1))}:`,
  );
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

const pad = (cell: string, width: number, column: number) =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width);
