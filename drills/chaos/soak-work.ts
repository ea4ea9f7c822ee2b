// The mixed work of the soak: each client repeats its task, with a short pause, until the time is up.
import { setTimeout as pause } from 'node:timers/promises';
import { LISTS } from '../../src/core/trade/lists.ts';
import { type Answer, type Json, send } from '../../test/support/client/client.ts';
import { until } from '../../test/support/service/until.ts';
import { Tally } from '../cluster/tally.ts';
import type { Scene } from './scene.ts';

const {
  contactkinds,
  documenttypes,
  jobstatuses,
  linekinds,
  ordertypes,
  orderstatuses,
  paymentmethods,
  vatcodes,
} = LISTS;

/** The service is in use, and not at its limit. */
const PAUSE_MS = 50;
const JOB_PAUSE_MS = 5_000;
/** Each row is a change with an event. */
const IMPORT_PAUSE_MS = 20_000;
const BACKUP_PAUSE_MS = 60_000;
const JOB_PATIENCE_MS = 300_000;
/** A request for changes waits no longer than this. */
const LONGEST_WAIT_MS = 10_000;
const WEEKS_AHEAD = 52;
const WEEK_MS = 7 * 86_400_000;
const IMPORTED_ROWS = 500;
const PRINTED_INVOICES = 10;
const DONE = Object.entries(jobstatuses)
  .find(([, status]) => status === jobstatuses.DONE)?.[0]
  .toLowerCase();
const OVER = ['done', 'failed', 'cancelled', 'expired'];

/** The state that all clients of the soak share. */
export class Work {
  readonly tally = new Tally(/^2/);
  /** Answers so far. */
  answers = 0;
  /** Jobs that ended in another way than `done`. */
  readonly failedJobs: string[] = [];
  jobs = 0;
  private readonly scene: Scene;
  /** The milliseconds until the time is up. */
  private readonly left: () => number;
  private readonly buyers: number[] = [];
  private readonly invoices: number[] = [];
  private imports = 0;

  constructor(scene: Scene, left: () => number) {
    this.scene = scene;
    this.left = left;
  }

  /** Resolves when the time is up and the last jobs are over. */
  async run(): Promise<void> {
    await this.addBuyer();
    const again = async (work: () => Promise<unknown>, milliseconds = PAUSE_MS) => {
      while (this.left() > 0) {
        await work();
        await pause(Math.min(milliseconds, this.left()));
      }
    };
    await Promise.all([
      again(() => this.read()),
      again(() => this.read()),
      again(() => this.write()),
      again(() => this.write()),
      again(() => this.invoice()),
      again(() => this.plan()),
      this.follow(),
      again(() => this.importContacts(), IMPORT_PAUSE_MS),
      again(() => this.exportOrders(), JOB_PAUSE_MS),
      again(() => this.printInvoices(), JOB_PAUSE_MS),
      again(() => this.backUp(), BACKUP_PAUSE_MS),
    ]);
  }

  private async ask(method: string, path: string, body?: Json): Promise<Answer> {
    const answer = await this.scene.tenant.ask(this.scene.url, method, path, body);
    this.count(answer, `${method} ${path}`);
    return answer;
  }

  private count(answer: Answer, what: string): void {
    this.tally.add(answer, what);
    this.answers += 1;
  }

  private async read(): Promise<void> {
    const orders = await this.ask('GET', `/order?sort=-order_date&page_size=20&page=${1 + below(20)}`);
    const order = any(orders.data as { id: number; contact_id: number }[]);
    if (!order) return;
    await this.ask('GET', `/order/${order.id}?expand=orderline,contact`);
    await this.ask('GET', `/contact/${order.contact_id}`);
    await this.ask('GET', `/vehicle?filter=make:Volvo&page_size=50`);
  }

  /** A contact with all that an invoice needs. */
  private async addBuyer(): Promise<void> {
    const { data } = await this.ask('POST', '/contact', {
      contact_kind: contactkinds.PERSON,
      last_name: `de Boer ${below(1_000)}`,
      street: 'Dorpsstraat',
      huisnummer: 12,
      postcode: '3511 AB',
      city: 'Utrecht',
      country_id: 1,
    });
    this.buyers.push(data.id);
  }

  private async write(): Promise<void> {
    await this.addBuyer();
    await this.ask('PUT', `/contact/${any(this.buyers)}`, { city: `Utrecht ${below(1_000)}` });
    const order = await this.ask('POST', '/order', this.order());
    const line = await this.ask('POST', '/orderline', lineOf(order.data.id));
    await this.ask('PUT', `/orderline/${line.data.id}`, { quantity: 1 + below(9) });
    await this.ask('DELETE', `/orderline/${line.data.id}`);
  }

  private order = (): Json => ({
    order_type: ordertypes.WORKSHOP,
    order_date: '2026-05-01',
    contact_id: any(this.buyers) ?? 0,
  });

  /** Invoices an order, and has some invoices paid and others credited. */
  private async invoice(): Promise<void> {
    const { id } = (await this.ask('POST', '/order', this.order())).data;
    await this.ask('POST', '/orderline', lineOf(id));
    const invoiced = await this.ask('PUT', `/order/${id}`, { order_status: orderstatuses.INVOICE });
    if (invoiced.status !== 200) return;
    this.invoices.push(id);
    const chance = Math.random();
    if (chance < 0.3) await this.ask('POST', '/payment', paymentOf(id));
    else if (chance < 0.4) await this.ask('POST', '/order/credit', { order_id: id, is_invoiced: 1 });
  }

  /** Books a free hour of a week of the next year. Every second customer cancels. */
  private async plan(): Promise<void> {
    const first = Date.now() + (1 + below(WEEKS_AHEAD)) * WEEK_MS;
    const [from = '', until = ''] = [first, first + WEEK_MS].map((instant) =>
      new Date(instant).toISOString(),
    );
    const { data: slots } = await this.ask('GET', `/planning/slots?from=${from}&until=${until}&minutes=60`);
    const slot = any(slots as Json[]);
    if (!slot) return;
    const order = await this.ask('POST', '/order', { ...this.order(), appointment: [slot] });
    await this.ask('GET', `/planning/load?from=${from.slice(0, 10)}&to=${until.slice(0, 10)}`);
    if (Math.random() < 0.5) return;
    const { data: booked } = await this.ask('GET', `/appointment?filter=order_id:${order.data.id}`);
    await this.ask('DELETE', `/appointment/${booked[0].id}`);
  }

  /** Follows the feed of changes as a mirror does. */
  private async follow(): Promise<void> {
    let after = (await this.ask('GET', '/changes?after=now')).body.next;
    while (this.left() > 0) {
      const wait = Math.ceil(Math.min(LONGEST_WAIT_MS, this.left()) / 1_000);
      const answer = await this.ask('GET', `/changes?after=${after}&wait=${wait}&page_size=1000`);
      after = answer.body?.next ?? after;
      await pause(PAUSE_MS);
    }
  }

  private async importContacts(): Promise<void> {
    this.imports += 1;
    const rows = Array.from({ length: IMPORTED_ROWS }, (_, n) => `I-${this.imports}-${n},1,Jansen ${n},1\n`);
    const { tenant, url } = this.scene;
    const answer = await send('POST', `${url}/v2/import?resource=contact`, {
      body: `external_id,contact_kind,last_name,country_id\n${rows.join('')}`,
      headers: { 'content-type': 'text/csv', token: await tenant.token(url) },
    });
    this.count(answer, 'POST /import');
    await this.finish(answer);
  }

  private async exportOrders(): Promise<void> {
    const job = await this.finish(
      await this.ask('POST', '/export', { resource: 'order', format: 'ndjson', webhook_url: this.hook() }),
    );
    if (job) this.count(await send('GET', String(job.url)), 'GET /files');
  }

  private async printInvoices(): Promise<void> {
    const order_ids = this.invoices.slice(-PRINTED_INVOICES);
    if (order_ids.length === 0) return;
    const body = { document_type: documenttypes.INVOICE, order_ids, webhook_url: this.hook() };
    await this.finish(await this.ask('POST', '/document/generate', body));
  }

  private async backUp(): Promise<void> {
    await this.finish(await this.ask('POST', '/backup/owner', { webhook_url: this.hook() }));
  }

  /** Each job has an address of its own, so that no two jobs are the same. */
  private hook = () => this.scene.receiver.url(`/jobs/${crypto.randomUUID()}`);

  /** Waits for a job. Answers it if it is done. */
  private async finish({ status, data }: Answer): Promise<Json | undefined> {
    if (status !== 202) return undefined;
    this.jobs += 1;
    const job: Json = await until(async () => {
      await pause(PAUSE_MS);
      const answer = await this.ask('GET', `/job/${data.job_id}`);
      return OVER.includes(answer.data?.status) && answer.data;
    }, JOB_PATIENCE_MS);
    if (job.status === DONE) return job;
    this.failedJobs.push(`${job.kind} is ${job.status}: ${job.error}`);
    return undefined;
  }
}

const lineOf = (order_id: number): Json => ({
  order_id,
  line_kind: linekinds.LABOUR,
  description: 'Work',
  quantity: 1,
  price: 100,
  vat_code: vatcodes.HIGH,
});

const paymentOf = (order_id: number): Json => ({
  order_id,
  amount: 10,
  paid_at: '2026-05-02T10:00:00.000Z',
  method: paymentmethods.PIN,
});

const below = (limit: number): number => Math.floor(Math.random() * limit);
const any = <T>(values: readonly T[]): T | undefined => values[below(values.length)];
