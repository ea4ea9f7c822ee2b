// Points that only the service has: no baseline plans or makes invoices. Each stands beside a request that a
// reader can judge, and has a bound of statements where the database's distance matters.
import { openOrders } from './invoice-orders.ts';
import type { Request } from './load.ts';
import type { Point } from './points.ts';
import type { Requests } from './requests.ts';
import type { LastingCaller } from './same.ts';

export const makeOwnPoints = (requests: Requests, service: LastingCaller): readonly Point[] => [
  invoicePoint(requests, service),
  PLANNING,
];

function invoicePoint(requests: Requests, { url, newToken }: LastingCaller): Point {
  const [change, invoice] = ['PUT of one order line', 'INVOICE of three lines'];
  return {
    name: 'invoice',
    title: 'An order of three lines becomes an invoice, beside a PUT of one order line',
    kind: 'own',
    series: [
      { name: change, server: 'service', requests: requests.changeLine },
      {
        name: invoice,
        server: 'service',
        once: true,
        requests: async (_run, seconds) =>
          openOrders({ url, token: await newToken() }, requests.buyers, seconds),
      },
    ],
    ratios: [{ of: invoice, to: change }],
    mostStatements: { [invoice]: 10 },
  };
}

/** The last month of the seeded work, and a year. */
const PLANNING: Point = {
  name: 'planning',
  title: 'Free slots of 31 days, and the load of a year, beside a page of 100 orders',
  kind: 'own',
  series: [
    { name: 'page of orders', path: '/v2/order?page_size=100' },
    {
      name: 'slots',
      path: '/v2/planning/slots?from=2026-03-30T00:00:00Z&until=2026-04-30T00:00:00Z&minutes=60',
    },
    { name: 'load of 31 days', path: '/v2/planning/load?from=2026-03-30&to=2026-04-29' },
    { name: 'load of a year', path: '/v2/planning/load?from=2025-05-01&to=2026-04-30' },
  ].map(({ name, path }) => ({ name, server: 'service', requests: () => [get(path)] })),
  ratios: ['slots', 'load of 31 days', 'load of a year'].map((of) => ({ of, to: 'page of orders' })),
};

const get = (path: string): Request => ({ method: 'GET', path });
