// Makes the records that a garage sets up once: employees with their workplaces and hours, suppliers, turnover groups,
// articles and flat rates.
import { Absence } from '../../core/resources/absence.ts';
import { Article } from '../../core/resources/article.ts';
import { Employee } from '../../core/resources/employee.ts';
import { FlatRate } from '../../core/resources/flat-rate.ts';
import { FlatRateLine } from '../../core/resources/flat-rate-line.ts';
import { TurnoverGroup } from '../../core/resources/turnover-group.ts';
import { VatRegime } from '../../core/resources/vat-regime.ts';
import { WorkHour } from '../../core/resources/work-hour.ts';
import { Workplace } from '../../core/resources/workplace.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { cents, euros, lineTotals } from '../../core/trade/totals.ts';
import { percentageOn } from '../../core/trade/vat-code.ts';
import { CLOSED, END, midnight, RATE_DAY, YEARS } from './calendar.ts';
import { CARS } from './cars.ts';
import { addFirm, personName } from './contacts.ts';
import type { Draft, Part, RecordOf } from './drafts.ts';
import { ARTICLES, BRANDS, FLAT_RATES, TURNOVER_GROUPS } from './goods.ts';
import { ean, mobile } from './identifiers.ts';
import { BELGIAN_DEALER, IN_ZURICH, LEASE_COMPANIES, SUPPLIERS, SWISS_DEALER } from './names.ts';
import { nth, times } from './random.ts';

const { PART, LABOUR, FLUID, TYRE } = LISTS.articlekinds;
const { MECHANIC, ADVISOR, SALES, PARTS, ADMINISTRATION, MANAGER } = LISTS.functionkinds;
const { LIFT, FLOOR, MOT, WASH } = LISTS.workplacekinds;
const { ADMIN, USER } = LISTS.rolekinds;
const { HIGH } = LISTS.vatcodes;
const FUNCTIONS = [MECHANIC, ADVISOR, MECHANIC, SALES, MANAGER, PARTS, ADMINISTRATION, MECHANIC];
const WORKPLACES = [LIFT, LIFT, LIFT, MOT, FLOOR, WASH];
const WORKING_DAYS = [1, 2, 3, 4, 5, 6];
/** They touch, so an appointment may lie across noon. */
const STRETCHES = [['08:00', '12:30'] as const, ['12:30', '17:00'] as const];
const KEPT_IN_STOCK: readonly number[] = [PART, FLUID, TYRE];
const NUMBER_OF_ARTICLES = 260;
const NUMBER_OF_FLAT_RATES = 27;
const NUMBER_OF_EMPLOYEES = 16;
const DEALER = { is_customer: 1, is_supplier: 1 };
/** They sell their cars to the garage, which may make out the invoices. */
const LEASE_COMPANY = { ...DEALER, is_lease_company: 1, self_billing_agreed_at: midnight(-900) };
const BY_HAND = { quantity: '1', price: '17.50', is_manual_input: 1 };

/** Days before all work. Their rows keep the settings of the garage as they are. */
const NEW_YEARS = ['1990', '2000', '2010'].map((year) => `${year}-01-01 00:00:00.000`);

interface Sources {
  readonly groups: readonly RecordOf<typeof TurnoverGroup>[];
  readonly suppliers: readonly { readonly id: number }[];
}

export type ArticleRecord = RecordOf<typeof Article>;

/** The records that contacts, vehicles and orders refer to. */
export type Setup = Awaited<ReturnType<typeof setUp>>;

export async function setUp(part: Part) {
  const { drafts } = part;
  const first = await drafts.reserve('contact', 0);
  // Codes are unique, so the codes of a second seeding end in a number that the owner never gets again.
  const suffix = first === 1 ? '' : `-${first.toString(36).toUpperCase()}`;
  if (first === 1) for (const valid_from of NEW_YEARS) drafts.add(VatRegime, { valid_from });
  const suppliers = SUPPLIERS.map((name) => addFirm(part, name, { is_supplier: 1, is_vat_shifted: 0 }));
  const leaseCompanies = LEASE_COMPANIES.map((name) => addFirm(part, name, LEASE_COMPANY));
  /** One in the EU and one outside. */
  const dealers = [
    addFirm(part, BELGIAN_DEALER, DEALER),
    addFirm(part, SWISS_DEALER, { ...DEALER, ...IN_ZURICH }),
  ];
  const groups = TURNOVER_GROUPS.map(([code, name, vat_code, ...accounts]) => {
    const [ledger_account, cost_ledger_account, stock_ledger_account] = accounts;
    const booked = { ledger_account, cost_ledger_account, stock_ledger_account };
    return drafts.add(TurnoverGroup, { code: code + suffix, name, vat_code, ...booked });
  });
  await drafts.write();
  const articles = times(NUMBER_OF_ARTICLES, (index) =>
    drafts.add(Article, article(part, index, suffix, { groups, suppliers })),
  );
  await drafts.write();
  for (const index of times(NUMBER_OF_FLAT_RATES, (each) => each)) addFlatRate(part, index, suffix, articles);
  const employees = times(NUMBER_OF_EMPLOYEES, (index) =>
    drafts.add(Employee, employee(part, nth(FUNCTIONS, index))),
  );
  const mechanics = employees.filter(({ function_kind }) => function_kind === MECHANIC);
  /** As many as there are mechanics. */
  const workplaces = addWorkshop(part, mechanics, suffix);
  await drafts.write();
  return {
    ...{ leaseCompanies, dealers, groups, mechanics, workplaces },
    advisors: employees.filter(({ function_kind }) => function_kind === ADVISOR),
    labour: articles.filter(({ article_kind }) => article_kind === LABOUR),
    /** All articles but labour. */
    goods: articles.filter(({ article_kind }) => article_kind !== LABOUR),
  };
}

/** Has no username: it stands on orders and cannot log in. */
function employee({ random }: Part, function_kind: number): Draft<typeof Employee> {
  const name = personName(random, 'NL', 'garage.example');
  return {
    ...name,
    initials: `${name.first_name.charAt(0)}.`,
    mobile: mobile(random, 'NL'),
    role_kind: function_kind === MANAGER ? ADMIN : USER,
    function_kind,
    start_date: midnight(-random.whole(0, 2000)),
    hourly_rate: `${random.whole(58, 98)}.50`,
    notes: random.maybe(0.2, ['Eerste hulp en BHV ✔, rijbewijs BE']),
  };
}

/** Each kind of article in turn, for some car: `OLF-0003`. */
function article(
  { random }: Part,
  index: number,
  suffix: string,
  { groups, suppliers }: Sources,
): Draft<typeof Article> {
  const [code, name, article_kind, unit_type, groupCode, lowest, highest] = nth(ARTICLES, index);
  const group = groups.find((one) => one.code === groupCode + suffix);
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
    ...{ article_kind, unit_type, vat_code: group?.vat_code, turnover_group_id: group?.id },
    purchase_price: article_kind === LABOUR ? null : euros(BigInt(Math.round(price * 0.62))),
    price: euros(BigInt(price)),
    ...ofStock,
  };
}

/** Labour and articles at their own price, and a line that is filled in by hand. */
function addFlatRate(
  { drafts, random }: Part,
  index: number,
  suffix: string,
  articles: readonly ArticleRecord[],
) {
  const [name, hours, codes, byHand] = nth(FLAT_RATES, index);
  const { make, model } = random.pick(CARS);
  const used = ['ARB', ...codes].map((code) =>
    random.pick(articles.filter(({ article_number }) => article_number.startsWith(`${code}-`))),
  );
  const quantityAt = (place: number) => (place === 0 ? String(hours) : '1');
  const nets = [...used, BY_HAND].map(({ price }, place) => {
    const amounts = { quantity: quantityAt(place), price, discount_percentage: null, vat_code: HIGH };
    return cents(lineTotals(amounts, percentageOn(HIGH, RATE_DAY)).line_net);
  });
  const turnover_group_id = used[0]?.turnover_group_id;
  const rate = drafts.add(FlatRate, {
    code: `FR-${String(index + 1).padStart(3, '0')}${suffix}`,
    name: `${name} ${make} ${model}`,
    description: `${name}, inclusief controle en proefrit. Prijs geldt voor de ${model}.`,
    ...{ vehicle_make: make, vehicle_model: model, labour_hours: String(hours), vat_code: HIGH },
    turnover_group_id,
    valid_from: midnight(random.whole(0, 300)),
    total_net: euros(nets.reduce((sum, net) => sum + net)),
  });
  const lines: Draft<typeof FlatRateLine>[] = [
    ...used.map((one, place) => ({
      ...articleColumns(one),
      quantity: quantityAt(place),
      article_kind: one.article_kind,
    })),
    { ...BY_HAND, description: byHand, turnover_group_id },
  ];
  for (const [place, line] of lines.entries())
    drafts.add(FlatRateLine, { ...line, flatrate_id: rate, sort_order: place + 1 });
}

/** A workplace and the hours of each mechanic, and the absences. */
function addWorkshop({ drafts }: Part, mechanics: readonly RecordOf<typeof Employee>[], suffix: string) {
  const workplaces = mechanics.map((mechanic, index) => {
    for (const weekday of WORKING_DAYS)
      for (const [start_time, end_time] of STRETCHES)
        drafts.add(WorkHour, { employee_id: mechanic, weekday, start_time, end_time });
    return drafts.add(Workplace, {
      code: `P${index + 1}${suffix}`,
      name: `Werkplek ${index + 1}`,
      workplace_kind: nth(WORKPLACES, index),
      sort_order: index + 1,
    });
  });
  const away = (from: number, to: number) => ({ starts_at: midnight(from, END), ends_at: midnight(to, END) });
  const absences: Draft<typeof Absence>[] = [
    ...YEARS.map((year) => ({
      starts_at: `${year}-${CLOSED[0]} 00:00:00.000`,
      ends_at: `${year}-${CLOSED[1]} 23:00:00.000`,
      reason: 'Kerst',
    })),
    { employee_id: mechanics[0], ...away(90, 104), reason: 'Vakantie' },
    { workplace_id: workplaces[0], ...away(30, 31), reason: 'Keuring' },
  ];
  for (const absence of absences) drafts.add(Absence, absence);
  return workplaces;
}

/** The columns that a line copies from its article. */
export const articleColumns = (one: ArticleRecord) => ({
  article_id: one.id,
  article_number: one.article_number,
  description: one.description,
  unit_type: one.unit_type,
  turnover_group_id: one.turnover_group_id,
});
