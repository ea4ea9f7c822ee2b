// A garage whose trade of some months is made up move by move, each chosen by a seed. Time passes when all instants of
// the garage move back.
import { Random } from '../../../src/business/seed/random.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../build/build.ts';
import { type Answer, type Client, type Json, newClient } from '../client/client.ts';
import { execute, select } from '../database/sql.ts';
import { database } from '../service/service.ts';
import { countries, setGarage } from './books.ts';

const { COMPANY } = LISTS.contactkinds;
const DAY_MS = 86_400_000;
/** The columns of a garage's tables that hold instants of its trade. */
const INSTANTS: Readonly<Record<string, readonly string[]>> = {
  orders: ['invoice_date', 'book_date', 'supply_date', 'due_date', 'supplier_invoice_date'],
  payments: ['paid_at'],
  counters: ['last_at'],
  invoiceparties: ['created_at'],
  vehicles: ['purchase_date'],
  vehiclerolelines: ['start_date', 'end_date'],
};

export interface Picked {
  readonly id: number;
  readonly [column: string]: unknown;
}

export class Story {
  readonly client: Client;
  readonly random: Random;
  readonly contacts: Readonly<Record<'dealer' | 'abroad', number>> & { readonly persons: readonly number[] };
  /** Two groups of turnover: the second one keeps a stock. */
  readonly groups: readonly number[];
  /** What was asked for, and how it ended. */
  readonly told: string[] = [];
  private count = 0;

  private constructor(
    client: Client,
    random: Random,
    { contacts, groups }: Pick<Story, 'contacts' | 'groups'>,
  ) {
    this.client = client;
    this.random = random;
    this.contacts = contacts;
    this.groups = groups;
  }

  static async open(seed: string, garage: Json): Promise<Story> {
    const client = await newClient();
    const { de } = await countries();
    await setGarage(client, garage);
    const company = { contact_kind: COMPANY, company_name: 'Autohandel B.V.' };
    const contact = async (body: Json) => (await buildBuyer(client, body)).id;
    const dealer = { ...company, vat_number: 'NL004495445B01', self_billing_agreed_at: '2020-01-01' };
    const contacts = {
      persons: [await contact({}), await contact({}), await contact({})],
      dealer: await contact(dealer),
      abroad: await contact({ ...company, vat_number: 'DE136695976', country_id: de, postcode: '10115' }),
    };
    const accounts = { ledger_account: '8000', cost_ledger_account: '7000' };
    const groups = [
      (await build(client, 'turnovergroup', accounts)).id,
      (await build(client, 'turnovergroup', { ...accounts, stock_ledger_account: '3000' })).id,
    ];
    return new Story(client, new Random(seed), { contacts, groups });
  }

  /** A number that no other part of the story has. */
  next(): number {
    this.count += 1;
    return this.count;
  }

  /** An instant of one of the last days. */
  ago(most: number): string {
    return new Date(Date.now() - this.random.whole(0, most) * DAY_MS).toISOString();
  }

  /** A refusal is a part of the story. Throws if the service fails. */
  async tell(what: string, asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked;
    this.told.push(`${what}: ${answer.status < 300 ? answer.status : answer.text.slice(0, 120)}`);
    if (answer.status >= 500) throw new Error(this.told.join('\n'));
    return answer;
  }

  /** One of the garage's rows that meet the condition; undefined: there is none. */
  async pick(table: string, condition: string): Promise<Picked | undefined> {
    const rows = (await select(
      database(),
      `SELECT * FROM ${table} WHERE owner_id = ? AND ${condition} ORDER BY id`,
      [this.client.garage.owner],
    )) as unknown as Picked[];
    return rows.length === 0 ? undefined : this.random.pick(rows);
  }

  async passTime(days: number): Promise<void> {
    for (const [table, columns] of Object.entries(INSTANTS)) {
      const set = columns.map((column) => `${column} = ${column} - INTERVAL ${days} DAY`).join();
      await execute(database(), `UPDATE ${table} SET ${set} WHERE owner_id = ?`, [this.client.garage.owner]);
    }
  }
}
