// Measures the VAT return of a garage with many invoices whose margins count over periods: the margin is computed from
// the first invoice on, each time.
import { LISTS } from '../../src/core/trade/lists.ts';
import type { Json } from '../../test/support/client/client.ts';
import { type Report, seconds } from './report.ts';
import { Scene } from './scene.ts';

const ASKED = 9;
/** Whole years of the seed, and what is asked for. */
const DAYS = {
  'a quarter': 'from=2025-10-01&to=2025-12-31',
  'a year': 'from=2025-01-01&to=2025-12-31',
};

interface BooksOptions {
  /** A third of them are invoices. */
  readonly orders: number;
  /** The longest median of the VAT return of a year. */
  readonly mostMs: number;
}

export async function books(report: Report, folder: string, { orders, mostMs }: BooksOptions): Promise<void> {
  const began = performance.now();
  const scene = await Scene.open(folder, { orders });
  report.say(`${orders} orders: made in ${seconds(performance.now() - began)}`);
  try {
    await scene.start();
    const ask = async (method: string, path: string, body?: Json) => {
      const answer = await scene.tenant.ask(scene.url, method, path, body);
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
      return answer.data;
    };
    const [first] = await ask('GET', '/vatregime?sort=valid_from');
    await ask('PUT', `/vatregime/${first.id}`, {
      margin_method: LISTS.marginmethods.GLOBAL,
      vat_period: LISTS.vatperiods.QUARTER,
    });
    for (const [name, days] of Object.entries(DAYS)) {
      const times: number[] = [];
      for (let asked = 0; asked <= ASKED; asked += 1) {
        const at = performance.now();
        await ask('GET', `/vatreturn?${days}`);
        // The first one warms up.
        if (asked > 0) times.push(performance.now() - at);
      }
      times.sort((one, other) => one - other);
      const median = times[Math.floor(ASKED / 2)] ?? 0;
      report.say(
        `  the VAT return of ${name}: ${median.toFixed(0)} ms (${times.map((ms) => ms.toFixed(0)).join(' ')})`,
      );
      report.demand(median <= mostMs, `the VAT return of ${name} takes ${median.toFixed(0)} ms`);
    }
  } finally {
    await scene.close();
  }
}
