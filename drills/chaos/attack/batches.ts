// Imports whose rows have many children: each row is small work for a caller and a thousand records for the service.
import { readReport } from '../../../test/support/client/import.ts';
import type { Deed, Part, Target } from './part.ts';
import { ask, runJob } from './request.ts';

const NDJSON = 'application/x-ndjson';
const LINES = 1_000;
const ORDERS = 120;
const EMPTY_ORDERS = 200;
const JOB_MS = 300_000;
/** The report names the first hundred errors of a row, and how many more there are. */
const MOST_ERRORS = 101;

const LINE = { line_kind: 2, description: 'Work', quantity: 1, price: 10, vat_code: 1 };

export const batches: Part = {
  attacks: {
    'orders of 1,000 lines': (target) => importOrders(target, ORDERS, LINE, 'created'),
    'orders of 1,000 empty lines': (target) => importOrders(target, EMPTY_ORDERS, {}, 'refused'),
  },
  mostMemory: 400,
  asksOwn: true,
};

async function importOrders(
  target: Target,
  count: number,
  line: object,
  should: 'created' | 'refused',
): Promise<Deed> {
  const [contact] = (await ask(target, 'GET', '/contact?page_size=1')).body.data;
  const order = { order_type: 1, order_date: '2026-05-01', contact_id: contact.id };
  const orderline = Array.from({ length: LINES }, () => line);
  const body = `${JSON.stringify({ ...order, orderline })}\n`.repeat(count);
  const began = performance.now();
  const job = await runJob(target, '/import?resource=order', { body, type: NDJSON }, JOB_MS);
  const took = ((performance.now() - began) / 1000).toFixed(1);
  const did = `${count} orders in ${(body.length / 2 ** 20).toFixed(1)} MiB: ${job.status} in ${took} s`;
  if (job.status !== 'done' || job.url === undefined)
    return { did, wrong: [`the import is ${job.status}: ${job.error}`] };

  const { summary, rows } = await readReport(job.url);
  const errors = Math.max(...rows.map((row) => row.errors.length));
  const wrong: string[] = [];
  if (summary[should] !== count) wrong.push(`the summary is ${JSON.stringify(summary)}`);
  if (errors > MOST_ERRORS) wrong.push(`a row reports ${errors} errors`);
  return {
    did: `${did}, ${summary[should]} ${should}, a report of ${((job.size ?? 0) / 1000).toFixed(0)} KB`,
    wrong,
  };
}
