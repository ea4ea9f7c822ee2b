// Clients who do a day's work at a garage, again and again: a customer, a car, an order that becomes an invoice and is
// paid, lists, and exports. Each request is sent once, so each failure shows. `Desk` remembers what was acknowledged.
import { randomUUID } from 'node:crypto';
import type { Json } from '../../test/support/client/client.ts';
import { until } from '../../test/support/service/until.ts';

const MOST_SHOWN = 200;
/** Each so many days a client makes an export and fetches it. */
const EXPORT_EVERY = 10;
const INVOICE = 7;

export interface Worked {
  /** The contacts that must be there, by ID: a name that nobody else has. */
  readonly contacts: ReadonlyMap<number, string>;
  readonly deleted: ReadonlySet<number>;
  readonly orders: ReadonlySet<number>;
  readonly invoices: readonly string[];
  readonly requests: number;
  readonly exports: number;
  /** Reads that were sent again. */
  readonly repeated: number;
  readonly failures: readonly string[];
}

export class DeskLoad {
  private readonly url: string;
  private readonly token: () => Promise<string>;
  private readonly contacts = new Map<number, string>();
  private readonly deleted = new Set<number>();
  private readonly orders = new Set<number>();
  private readonly invoices: string[] = [];
  private readonly failures: string[] = [];
  private readonly clients: Promise<void>[] = [];
  private readonly repeats: boolean;
  private requests = 0;
  private exports = 0;
  private repeated = 0;
  private days = 0;
  private over = false;

  /** `url`: below it lie the paths of the API. `repeats`: a read that fails is sent once more. */
  constructor(url: string, token: () => Promise<string>, { repeats }: { repeats: boolean }) {
    this.url = url;
    this.token = token;
    this.repeats = repeats;
  }

  start(clients: number): void {
    for (let client = 0; client < clients; client += 1) this.clients.push(this.work());
  }

  /** Waits until so many more days are over. */
  async more(days: number): Promise<void> {
    const wanted = this.days + days;
    await until(async () => this.days >= wanted || this.failures.length > 0, 120_000);
  }

  async stop(): Promise<Worked> {
    this.over = true;
    await Promise.all(this.clients);
    const { contacts, deleted, orders, invoices, requests, exports, repeated, failures } = this;
    return { contacts, deleted, orders, invoices, requests, exports, repeated, failures };
  }

  private async work(): Promise<void> {
    while (!this.over) {
      this.days += 1;
      try {
        await this.day(this.days);
      } catch (error) {
        this.failures.push(String(error));
      }
    }
  }

  private async day(day: number): Promise<void> {
    const contact = await this.addContact(day);
    const vehicle = await this.ask('POST', '/vehicle', {
      license_plate: plateOf(day),
      vehicle_kind: 1,
      make: 'Volvo',
      model: 'V60',
      stock_status: 1,
    });
    const order = await this.ask('POST', '/order', {
      order_date: new Date().toISOString(),
      order_type: 1,
      contact_id: contact,
      vehicle_id: vehicle.id,
      orderline: [line(1), line(2), line(3)],
    });
    this.orders.add(Number(order.id));
    await this.ask('GET', '/order?page_size=20&sort=-id&expand=contact,orderline');
    const [first] = (await this.ask('GET', `/order/${order.id}?expand=orderline`)).orderline as Json[];
    await this.ask('PUT', `/orderline/${first?.id}`, { quantity: 4 });
    const invoice = await this.ask('PUT', `/order/${order.id}`, { order_status: INVOICE });
    this.invoices.push(String(invoice.invoice_number));
    await this.ask('POST', '/payment', {
      order_id: Number(order.id),
      amount: Number(invoice.total_gross),
      method: 3,
      paid_at: new Date().toISOString(),
    });
    await this.ask('PUT', `/contact/${contact}`, { city: 'Utrecht' });
    await this.ask('GET', `/contact/${contact}?expand=contactcommunication`);
    const other = await this.ask('POST', '/contact', { contact_kind: 1, last_name: 'Weg', country_id: 1 });
    await this.ask('DELETE', `/contact/${other.id}`);
    this.deleted.add(Number(other.id));
    if (day % EXPORT_EVERY === 0) await this.export();
  }

  private async addContact(day: number): Promise<number> {
    const name = `Wissel${day}q`;
    const { id } = await this.ask('POST', '/contact', {
      contact_kind: 1,
      last_name: name,
      street: 'Dorpsstraat',
      huisnummer: day,
      postcode: '3511 AB',
      city: 'Zeist',
      country_id: 1,
      contactcommunication: [{ communication_type: 1, value: `06 ${10_000_000 + day}` }],
    });
    this.contacts.set(Number(id), name);
    return Number(id);
  }

  private async export(): Promise<void> {
    const { job_id } = await this.ask('POST', '/export', { resource: 'vehicle' });
    const url = await until(async () => {
      const { status, error, url } = await this.ask('GET', `/job/${job_id}`);
      if (status === 'failed') throw new Error(`export: ${error}`);
      return status === 'done' ? String(url) : undefined;
    }, 60_000);
    // The address names the host that the service knows, not the proxy.
    const { pathname, search } = new URL(url);
    const answer = await fetch(`${new URL(this.url).origin}${pathname}${search}`);
    await answer.arrayBuffer();
    if (answer.status !== 200) this.failures.push(`GET ${pathname}: ${answer.status}`);
    this.exports += 1;
  }

  private async ask(method: string, path: string, body?: Json): Promise<Json> {
    try {
      return await this.askOnce(method, path, body);
    } catch (error) {
      if (method !== 'GET' || !this.repeats) throw error;
      this.repeated += 1;
      return this.askOnce(method, path);
    }
  }

  /** The data of the answer. Throws if the answer is a refusal. */
  private async askOnce(method: string, path: string, body?: Json): Promise<Json> {
    this.requests += 1;
    const began = new Date().toISOString();
    const headers: Record<string, string> = { token: await this.token() };
    if (body) headers['content-type'] = 'application/json';
    if (method === 'POST') headers['idempotency-key'] = randomUUID();
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    }).catch((error: Error) => {
      throw new Error(`${method} ${path} at ${began}: ${error.cause ?? error}`);
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, MOST_SHOWN)}`);
    return text === '' ? {} : ((JSON.parse(text) as Json).data as Json);
  }
}

/** A Dutch number plate for each day, up to 15,999. */
const plateOf = (day: number) =>
  `Z${'BDFGHJKLNPRSTVXZ'[Math.floor(day / 1_000)]}-${String(day % 1_000).padStart(3, '0')}-Z`;

const line = (position: number): Json => ({
  line_kind: 1,
  description: `Olie ${position}`,
  quantity: position,
  price: 12.5,
  vat_code: 1,
});
