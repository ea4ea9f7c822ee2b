// What was measured, as text: the same tables on the terminal and in RESULTS.md.
import type { Compared } from './compare.ts';
import type { Spread } from './statistics.ts';

/** One line of the table of targets. */
export interface Verdict {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
}

/** What a measurement has to say. */
export interface Measured {
  readonly text: string;
  readonly verdicts: readonly Verdict[];
}

export const verdict = (what: string, target: string, measured: string, met: boolean): Verdict => ({
  what,
  target,
  measured,
  met,
});

type Table = readonly (readonly string[])[];

export const verdicts = ({ point, ratios }: Compared): Verdict[] =>
  ratios.flatMap(({ of, to, target, measured }) =>
    target === undefined
      ? []
      : [
          {
            what: `${point.title}: ${of} to ${to}, requests a second`,
            target: `≥ ${target}`,
            measured: shown(measured),
            met: measured.median >= target,
          },
        ],
  );

export function comparedText({ point, figures, ratios }: Compared): string {
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
  const lines = ratios.map(({ of, to, measured, target }) => {
    const cpu = (figures.get(of)?.serverCpu ?? 0) / (figures.get(to)?.serverCpu ?? 0);
    const aim =
      target === undefined ? '' : `, target ≥ ${target}${measured.median >= target ? '' : ': missed'}`;
    return `- ${of} to ${to}: ${shown(measured)}${aim}; CPU a request ${cpu.toFixed(2)} times`;
  });
  return section(`${point.title} (\`${point.name}\`)`, tableText([head, ...rows]), lines.join('\n'));
}

export const verdictsText = (all: readonly Verdict[]): string =>
  tableText([
    ['', 'target', 'measured', ''],
    ...all.map(({ what, target, measured, met }) => [what, target, measured, met ? 'met' : '**missed**']),
  ]);

export const section = (title: string, ...parts: string[]): string => [`## ${title}`, ...parts].join('\n\n');

/** A median and, in brackets, its least and its most. */
export const shown = ({ median, least, most }: Spread, decimals = 2): string =>
  `${median.toFixed(decimals)} (${least.toFixed(decimals)} to ${most.toFixed(decimals)})`;

/** A table of Markdown that can be read as it is. */
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
