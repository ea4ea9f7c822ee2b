// Draws bench/chart.svg: one bar for each point, from the CPU time of the hand-written Koa server (1×) to the CPU time
// of the service, on a logarithmic scale. The colours follow the reader's light or dark mode.
import type { Outcome } from './statistics.ts';

export interface Bar {
  readonly label: string;
  /** CPU time per request of the service, divided by the Koa server's. */
  readonly ratio: number;
  /** The target. */
  readonly most: number;
  readonly outcome: Outcome;
}

const LABEL_WIDTH = 310;
const SCALE_WIDTH = 400;
const MARGIN = 20;
const TOP = 96;
const ROW = 30;
const BAR_HEIGHT = 16;
const LEGEND_X = 610;
const WIDTH = MARGIN + LABEL_WIDTH + SCALE_WIDTH + 120;

const STYLE = `
  .page { fill: #ffffff } .value { stroke: #ffffff } .text { fill: #1f2328 } .quiet { fill: #59636e }
  .grid { stroke: #d1d9e0 } .base { stroke: #59636e } .bar { fill: #2f6fb5 } .missed { fill: #b35900 }
  .target { stroke: #1f2328; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .value { stroke: #0d1117 } .text { fill: #f0f6fc } .quiet { fill: #9198a1 }
    .grid { stroke: #2f353d } .base { stroke: #9198a1 } .bar { fill: #4c94e0 } .missed { fill: #e08a3c }
    .target { stroke: #f0f6fc }
  }
  text { font: 13px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif }
  .title { font-size: 16px; font-weight: 600 } .end { text-anchor: end } .middle { text-anchor: middle }
  .value { paint-order: stroke; stroke-width: 5px }`;

export function chartSvg(bars: readonly Bar[]): string {
  const ticks = ticksFor(bars);
  const [first = 1, last = 2] = [ticks[0], ticks.at(-1)];
  const x = (ratio: number) => {
    const share = Math.log2(ratio / first) / Math.log2(last / first);
    return MARGIN + LABEL_WIDTH + Math.round(share * SCALE_WIDTH);
  };
  const bottom = TOP + bars.length * ROW;
  const height = bottom + 20;
  const legend = TOP - 42;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    '<title>CPU time per request of Forecourt, compared with a server written by hand on Koa</title>',
    `<style>${STYLE}\n</style>`,
    `<rect class="page" width="${WIDTH}" height="${height}" rx="6"/>`,
    text(
      MARGIN,
      30,
      'text title',
      'CPU time per request, compared with a server written by hand on Koa (1×)',
    ),
    text(
      MARGIN,
      legend,
      'quiet',
      'Bars start at 1×: to the left is less work, to the right is more. Each step doubles.',
    ),
    `<line class="target" x1="${LEGEND_X}" x2="${LEGEND_X}" y1="${legend - 12}" y2="${legend + 4}"/>`,
    text(LEGEND_X + 8, legend, 'quiet', 'target: the most that we accept'),
    ...ticks.flatMap((tick) => [
      `<line class="${tick === 1 ? 'base' : 'grid'}" x1="${x(tick)}" x2="${x(tick)}" y1="${TOP - 6}" y2="${bottom}"/>`,
      text(x(tick), TOP - 12, 'quiet middle', `${tick}×`),
    ]),
    ...bars.flatMap((bar, index) => row(bar, TOP + index * ROW, x)),
    '</svg>',
    '',
  ].join('\n');
}

function row({ label, ratio, most, outcome }: Bar, top: number, x: (ratio: number) => number): string[] {
  const middle = top + ROW / 2;
  const [left, right] = [Math.min(x(1), x(ratio)), Math.max(x(1), x(ratio))];
  const bar = `x="${left}" width="${right - left}" y="${middle - BAR_HEIGHT / 2}" height="${BAR_HEIGHT}"`;
  const value = `${ratio.toFixed(2)}×${outcome === 'met' ? '' : `, ${outcome}`}`;
  return [
    text(MARGIN + LABEL_WIDTH - 12, middle + 5, 'text end', label),
    `<rect class="${outcome === 'missed' ? 'missed' : 'bar'}" ${bar}/>`,
    `<line class="target" x1="${x(most)}" x2="${x(most)}" y1="${middle - 12}" y2="${middle + 12}"/>`,
    text(Math.max(right, x(most)) + 8, middle + 5, 'text value', value),
  ];
}

/** Powers of two around all ratios and targets. */
function ticksFor(bars: readonly Bar[]): number[] {
  const values = bars.flatMap(({ ratio, most }) => [ratio, most]);
  const first = Math.floor(Math.log2(Math.min(0.5, ...values)));
  const last = Math.ceil(Math.log2(Math.max(2, ...values)));
  return Array.from({ length: last - first + 1 }, (_, index) => 2 ** (first + index));
}

const text = (x: number, y: number, style: string, content: string) =>
  `<text class="${style}" x="${x}" y="${y}">${content}</text>`;
