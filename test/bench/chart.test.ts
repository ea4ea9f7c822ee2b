// The chart of the README says in words which points are below their floor, not by colour alone.
import { expect } from 'chai';
import { chartSvg } from '../../bench/chart.ts';

describe("the bench's chart", () => {
  it('shows each ratio and marks the ones below their floor', () => {
    const bars = [
      { label: 'GET one order', ratio: 1.44, floor: 1 },
      { label: 'POST one order line', ratio: 0.75, floor: 0.8 },
    ];

    const texts = [...chartSvg(bars).matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text);

    expect(texts).to.include.members(['GET one order', '1.44×', 'POST one order line', '0.75×, below floor']);
  });

  it('has a scale that holds every bar', () => {
    const chart = chartSvg([{ label: 'Page 1000', ratio: 13.4, floor: 3 }]);

    const ends = [...chart.matchAll(/<rect class="bar" x="([\d.]+)" width="([\d.]+)"/g)];
    const [, width = ''] = /viewBox="0 0 (\d+)/.exec(chart) ?? [];

    expect(ends).to.have.length(1);
    for (const [, x, barWidth] of ends) expect(Number(x) + Number(barWidth)).to.be.below(Number(width));
  });
});
