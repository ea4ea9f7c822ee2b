// The chart of the README says in words which points miss their target, not by colour alone.
import { expect } from 'chai';
import { chartSvg } from '../../bench/chart.ts';

describe("the bench's chart", () => {
  it('shows each ratio, and says which ones do not meet their target', () => {
    const bars = [
      { label: 'GET one order', ratio: 0.72, most: 0.8, outcome: 'met' },
      { label: 'PUT one order line', ratio: 1.2, most: 1.25, outcome: 'within the noise' },
      { label: 'POST one order line', ratio: 1.57, most: 1.25, outcome: 'missed' },
    ] as const;

    const texts = [...chartSvg(bars).matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text);

    expect(texts).to.include.members(['GET one order', '0.72×', '1.20×, within the noise', '1.57×, missed']);
  });

  it('has a scale that holds every bar', () => {
    const chart = chartSvg([{ label: 'Page 1000', ratio: 13.4, most: 3, outcome: 'within the noise' }]);

    const ends = [...chart.matchAll(/<rect class="bar" x="([\d.]+)" width="([\d.]+)"/g)];
    const [, width = ''] = /viewBox="0 0 (\d+)/.exec(chart) ?? [];

    expect(ends).to.have.length(1);
    for (const [, x, barWidth] of ends) expect(Number(x) + Number(barWidth)).to.be.below(Number(width));
  });
});
