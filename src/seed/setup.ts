// Makes the records that a garage sets up once: employees, suppliers, turnover groups, articles and flat rates.
import { Article } from '../resources/article.ts';
import { Employee } from '../resources/employee.ts';
import { FlatRate } from '../resources/flat-rate.ts';
import { FlatRateLine } from '../resources/flat-rate-line.ts';
import { TurnoverGroup } from '../resources/turnover-group.ts';
import type { Workplace } from '../resources/workplace.ts';
import { LISTS } from '../trade/lists.ts';
import { cents, euros, lineTotals } from '../trade/totals.ts';
import { midnight } from './calendar.ts';
import { CARS } from './cars.ts';
import { type ContactRecord, firm, personName, writeContacts } from './contacts.ts';
import { ARTICLES, BRANDS, FLAT_RATES, TURNOVER_GROUPS } from './goods.ts';
import { ean, mobile } from './identifiers.ts';
import { BELGIAN_DEALER, IN_ZURICH, LEASE_COMPANIES, SUPPLIERS, SWISS_DEALER } from './names.ts';
import { setUpWorkshop } from './planning.ts';
import type { Random } from './random.ts';
import type { Draft, RecordOf, Writer } from './writer.ts';

const { PART, LABOUR, FLUID, TYRE } = LISTS.articlekinds;
const { MECHANIC, ADVISOR, SALES, PARTS, ADMINISTRATION, MANAGER } = LISTS.functionkinds;
const { HIGH } = LISTS.vatcodes;
const FUNCTIONS = [MECHANIC, ADVISOR, MECHANIC, SALES, MANAGER, PARTS, ADMINISTRATION, MECHANIC];
const KEPT_IN_STOCK: readonly number[] = [PART, FLUID, TYRE];
const NUMBER_OF_ARTICLES = 260;
const NUMBER_OF_FLAT_RATES = 27;
const NUMBER_OF_EMPLOYEES = 16;
/** They sell their cars to the garage, which may make out the invoices. */
const LEASE_COMPANY = {
  is_customer: 1,
  is_supplier: 1,
  is_lease_company: 1,
  self_billing_agreed_at: midnight(-900),
};

const DEALER = { is_customer: 1, is_supplier: 1 };

export type ArticleRecord = RecordOf<typeof Article>;
type GroupRecord = RecordOf<typeof TurnoverGroup>;

/** The records that contacts, vehicles and orders refer to. */
export interface Setup {
  readonly mechanics: readonly RecordOf<typeof Employee>[];
  readonly advisors: readonly RecordOf<typeof Employee>[];
  /** As many as there are mechanics. */
  readonly workplaces: readonly RecordOf<typeof Workplace>[];
  readonly leaseCompanies: readonly ContactRecord[];
  /** One in the EU and one outside. */
  readonly dealers: readonly ContactRecord[];
  readonly groups: readonly GroupRecord[];
  readonly labour: readonly ArticleRecord[];
  /** All articles but labour. */
  readonly goods: readonly ArticleRecord[];
}

export async function setUp(writer: Writer, random: Random): Promise<Setup> {
  const firms = [
    ...SUPPLIERS.map((name) => firm(random, name, { is_supplier: 1, is_vat_shifted: 0 })),
    ...LEASE_COMPANIES.map((name) => firm(random, name, LEASE_COMPANY)),
    firm(random, BELGIAN_DEALER, DEALER),
    firm(random, SWISS_DEALER, { ...DEALER, ...IN_ZURICH }),
  ];
  const number = await writer.reserve('contact', firms.length);
  // Codes are unique, so the codes of a second seeding end in a number that the owner never gets again.
  const suffix = number === 1 ? '' : `-${number.toString(36).toUpperCase()}`;
  firms.forEach(({ contact }, index) => {
    contact.contact_number = number + index;
  });
  const contacts = await writeContacts(writer, firms);
  const suppliers = contacts.splice(0, SUPPLIERS.length);
  const leaseCompanies = contacts.splice(0, LEASE_COMPANIES.length);
  const groups = await writer.write(
    TurnoverGroup,
    TURNOVER_GROUPS.map(([code, name, ledger, vat_code, stock]) => ({
      code: code + suffix,
      name,
      ledger_account: String(ledger),
      cost_ledger_account: String(ledger - 1000),
      stock_ledger_account: stock === undefined ? null : String(stock),
      vat_code,
    })),
  );
  const articles = await writer.write(
    Article,
    times(NUMBER_OF_ARTICLES, (index) => article(random, index, suffix, { groups, suppliers })),
  );
  const rates = times(NUMBER_OF_FLAT_RATES, (index) => flatRate(random, index, suffix, articles));
  const rateDrafts = rates.map(({ rate }) => rate);
  await writer.write(FlatRate, rateDrafts);
  const rateLines = rates.flatMap(({ rate, lines }) =>
    lines.map((line, index) => ({ ...line, flatrate_id: rate.id, sort_order: index + 1 })),
  );
  await writer.write(FlatRateLine, rateLines);
  const employees = await writer.write(
    Employee,
    times(NUMBER_OF_EMPLOYEES, (index) => employee(random, nth(FUNCTIONS, index))),
  );
  const mechanics = employees.filter(({ function_kind }) => function_kind === MECHANIC);
  return {
    mechanics,
    workplaces: await setUpWorkshop(writer, mechanics, suffix),
    advisors: employees.filter(({ function_kind }) => function_kind === ADVISOR),
    leaseCompanies,
    dealers: contacts,
    groups,
    labour: articles.filter(({ article_kind }) => article_kind === LABOUR),
    goods: articles.filter(({ article_kind }) => article_kind !== LABOUR),
  };
}

/** Has no username: it stands on orders and cannot log in. */
function employee(random: Random, function_kind: number): Draft<typeof Employee> {
  const name = personName(random, 'NL', 'garage.example');
  return {
    ...name,
    initials: `${name.first_name.charAt(0)}.`,
    mobile: mobile(random, 'NL'),
    role_kind: function_kind === MANAGER ? LISTS.rolekinds.ADMIN : LISTS.rolekinds.USER,
    function_kind,
    start_date: midnight(-random.whole(0, 2000)),
    hourly_rate: `${random.whole(58, 98)}.50`,
    notes: random.chance(0.2) ? 'Eerste hulp en BHV ✔, rijbewijs BE' : null,
  };
}

/** Each kind of article in turn, for some car: `OLF-0003`. */
function article(
  random: Random,
  index: number,
  suffix: string,
  { groups, suppliers }: { groups: readonly GroupRecord[]; suppliers: readonly ContactRecord[] },
): Draft<typeof Article> {
  const [code, name, article_kind, unit_type, groupCode, lowest, highest] = nth(ARTICLES, index);
  const group = groups.find(({ code }) => code === groupCode + suffix);
  const price = random.whole(lowest, highest);
  const { make, model } = random.pick(CARS);
  const ofStock = KEPT_IN_STOCK.includes(article_kind) && {
    brand: random.pick(BRANDS),
    ean: ean(random),
    supplier_contact_id: random.pick(suppliers).id,
    stock_quantity: String(random.whole(0, 40)),
    location: `${random.pick(['A', 'B', 'C', 'É'])}-${random.whole(1, 24)}-${random.whole(1, 6)}`,
    is_stock_item: 1,
  };
  return {
    article_number: `${code}-${String(index + 1).padStart(4, '0')}${suffix}`,
    description: article_kind === PART ? `${name} ${make} ${model}` : name,
    article_kind,
    unit_type,
    purchase_price: article_kind === LABOUR ? null : euros(BigInt(Math.round(price * 0.62))),
    price: euros(BigInt(price)),
    vat_code: group?.vat_code,
    turnover_group_id: group?.id,
    ...ofStock,
  };
}

/** Labour and articles at their own price, and a line that is filled in by hand. */
function flatRate(random: Random, index: number, suffix: string, articles: readonly ArticleRecord[]) {
  const [name, hours, codes, byHand] = nth(FLAT_RATES, index);
  const { make, model } = random.pick(CARS);
  const used = ['ARB', ...codes].map((code) =>
    random.pick(articles.filter(({ article_number }) => article_number.startsWith(`${code}-`))),
  );
  const turnover_group_id = used[0]?.turnover_group_id;
  const lines = [
    ...used.map((article, place) => ({
      ...articleColumns(article),
      quantity: place === 0 ? String(hours) : '1',
      article_kind: article.article_kind,
    })),
    { description: byHand, quantity: '1', price: '17.50', turnover_group_id, is_manual_input: 1 },
  ];
  const nets = [...used, { price: '17.50' }].map(({ price }, place) => {
    const amounts = { quantity: lines[place]?.quantity ?? '1', price, vat_code: HIGH };
    return cents(lineTotals({ ...amounts, discount_percentage: null }).line_net);
  });
  const rate: Draft<typeof FlatRate> = {
    code: `FR-${String(index + 1).padStart(3, '0')}${suffix}`,
    name: `${name} ${make} ${model}`,
    description: `${name}, inclusief controle en proefrit. Prijs geldt voor de ${model}.`,
    vehicle_make: make,
    vehicle_model: model,
    labour_hours: String(hours),
    vat_code: HIGH,
    turnover_group_id,
    valid_from: midnight(random.whole(0, 300)),
    total_net: euros(nets.reduce((sum, net) => sum + net)),
  };
  return { rate, lines };
}

/** The columns that a line copies from its article. */
export const articleColumns = (article: ArticleRecord) => ({
  article_id: article.id,
  article_number: article.article_number,
  description: article.description,
  unit_type: article.unit_type,
  turnover_group_id: article.turnover_group_id,
});

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** The items of a list in turn. */
const nth = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
