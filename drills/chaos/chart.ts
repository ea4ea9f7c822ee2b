// Charts of text, and the line through points, for the report of a long run.

const FULL_WIDTH = 40;

export interface Bar {
  readonly label: string;
  readonly value: number;
}

/** A line for each value: label, number, and a bar in proportion to the greatest value. */
export function barsOf(bars: readonly Bar[]): string[] {
  const greatest = Math.max(1, ...bars.map(({ value }) => value));
  const labels = Math.max(...bars.map(({ label }) => label.length));
  const numbers = Math.max(...bars.map(({ value }) => value.toFixed(0).length));
  return bars.map(
    ({ label, value }) =>
      `${label.padStart(labels)} ${value.toFixed(0).padStart(numbers)} ${'█'.repeat(Math.round((value / greatest) * FULL_WIDTH))}`,
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** How much the straight line that fits the points best goes up from the first to the last. */
export function riseOf(points: readonly Point[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const together = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  const length = (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0);
  return spread === 0 ? 0 : (together / spread) * length;
}
