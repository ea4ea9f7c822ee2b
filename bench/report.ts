// Turns measurements into text: the same tables on the terminal and in RESULTS.md.
import type { Bar } from './chart.ts';
import type { Compared } from './compare.ts';
import { SERVER_LABELS } from './points.ts';
import { type Bound, judge, type Outcome, type Spread } from './statistics.ts';

/** One row of the table of targets. */
interface Verdict {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly outcome: Outcome;
}

/** Judges the spread of all rounds. */
export const verdict = (what: string, measured: Spread, bound: Bound, decimals = 2): Verdict => ({
  what,
  target: targetText(bound),
  measured: shown(measured, decimals),
  outcome: judge(measured, bound),
});

const targetText = (bound: Bound) => ('most' in bound ? `≤ ${bound.most}` : `≥ ${bound.least}`);

/** The outcome of one measurement. */
export interface Measured {
  readonly text: string;
  readonly verdicts: readonly Verdict[];
  /** Only for points that have a target beside the Koa server. */
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

function verdicts({ point, ratios, statements }: Compared): Verdict[] {
  const times = ratios.flatMap(({ of, to, targets = {}, server, database }) => {
    const what = (whose: string) => `${point.title}: ${of} to ${to}, CPU time of the ${whose}`;
    return [
      ...(targets.server === undefined ? [] : [verdict(what('server'), server, { most: targets.server })]),
      ...(targets.database === undefined
        ? []
        : [verdict(what('database'), database, { most: targets.database })]),
    ];
  });
  const counts = Object.entries(point.mostStatements ?? {}).flatMap(([name, most]) => {
    const counted = statements.get(name);
    return counted ? [verdict(`${point.title}: statements, ${name}`, rounded(counted), { most }, 0)] : [];
  });
  return [...times, ...counts];
}

/** A whole number each: idle services send some statements too, and those that are taken off come unevenly. */
const rounded = ({ median, least, greatest }: Spread): Spread => ({
  median: Math.round(median),
  least: Math.round(least),
  greatest: Math.round(greatest),
});

function barOf({ point, ratios }: Compared): Bar | undefined {
  const toKoa = ratios.find(({ of, to }) => of === SERVER_LABELS.service && to === SERVER_LABELS.koa);
  const most = toKoa?.targets?.server;
  if (!toKoa || most === undefined) return undefined;
  const [label = point.title] = point.title.split(';');
  return { label, ratio: toKoa.server.median, most, outcome: judge(toKoa.server, { most }) };
}

function otherRow({ point, figures, ratios }: Compared): string[] | undefined {
  const ratio = ratios.find(({ to }) => to === SERVER_LABELS.other);
  const [service, other] = [figures.get(SERVER_LABELS.service), figures.get(SERVER_LABELS.other)];
  if (!ratio || !service || !other) return undefined;
  const rates = [service.rate.toFixed(0), other.rate.toFixed(0)];
  return [point.name, ...rates, shown(ratio.rate), shown(ratio.server), shown(ratio.database)];
}

/** The service of this checkout beside the service of the other one. */
export const otherText = (checkout: string, rows: Table): string =>
  section(
    `Beside ${checkout}`,
    tableText([['req/s', 'service', 'other', 'service to other', 'server CPU', 'database CPU'], ...rows]),
  );

function comparedText({ point, figures, ratios }: Compared): string {
  const rows = [...figures].map(([name, figure]) => [
    name,
    figure.rate.toFixed(0),
    figure.p50.toFixed(2),
    figure.p99.toFixed(2),
    figure.serverCpu.toFixed(0),
    figure.databaseCpu.toFixed(0),
    figure.statements.toFixed(1),
    figure.memory.toFixed(0),
  ]);
  const head = [
    '',
    'req/s',
    'p50 ms',
    'p99 ms',
    'server CPU µs',
    'database CPU µs',
    'statements',
    'memory MB',
  ];
  const lines = ratios.map(({ of, to, rate, server, database, targets = {} }) => {
    const judged = (name: string, measured: Spread, most?: number) =>
      `${name} ${shown(measured)}${most === undefined ? '' : `, target ≤ ${most}: ${judge(measured, { most })}`}`;
    const times = [
      judged('server CPU', server, targets.server),
      judged('database CPU', database, targets.database),
    ];
    return `- ${of} to ${to}: ${times.join('; ')}; requests per second ${shown(rate)}`;
  });
  return section(`${point.title} (\`${point.name}\`)`, tableText([head, ...rows]), lines.join('\n'));
}

export const verdictsText = (all: readonly Verdict[]): string =>
  tableText([
    ['', 'target', 'measured', ''],
    ...all.map(({ what, target, measured, outcome }) => [
      what,
      target,
      measured,
      outcome === 'missed' ? '**missed**' : outcome,
    ]),
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
