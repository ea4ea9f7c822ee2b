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
import { Decimal, roundTo } from '../../core/trade/decimal.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { CLOSED, END, midnight, YEARS } from './calendar.ts';
import { addFirm, type ContactRecord, personName } from './contacts.ts';
import type { Part, RecordOf } from './drafts.ts';
import { ARTICLES, BRANDS, CARS, FLAT_RATES, TURNOVER_GROUPS } from './goods.ts';
import { ean, mobile } from './identifiers.ts';
import { BELGIAN_DEALER, IN_ZURICH, LEASE_COMPANIES, SUPPLIERS, SWISS_DEALER } from './names.ts';
import { inTurn, times } from './random.ts';

const { PART, LABOUR, FLUID, TYRE } = LISTS.articlekinds;
const { MECHANIC, ADVISOR, SALES, PARTS, ADMINISTRATION, MANAGER } = LISTS.functionkinds;
const { LIFT, FLOOR, MOT, WASH } = LISTS.workplacekinds;
const { ADMIN, USER } = LISTS.rolekinds;
const FUNCTIONS = [MECHANIC, ADVISOR, MECHANIC, SALES, MANAGER, PARTS, ADMINISTRATION, MECHANIC];
const WORKPLACES = [LIFT, LIFT, LIFT, MOT, FLOOR, WASH];
const WORKING_DAYS = [1, 2, 3, 4, 5, 6];
/** They touch, so an appointment may lie across noon. */
const STRETCHES = [
  { start_time: '08:00', end_time: '12:30' },
  { start_time: '12:30', end_time: '17:00' },
];
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

type GroupRecord = RecordOf<typeof TurnoverGroup>;
export type ArticleRecord = RecordOf<typeof Article>;
type EmployeeRecord = RecordOf<typeof Employee>;

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
  const articles = times(NUMBER_OF_ARTICLES, (nth) => addArticle(part, nth, suffix, groups, suppliers));
  const employees = times(NUMBER_OF_EMPLOYEES, (nth) => addEmployee(part, inTurn(FUNCTIONS, nth)));
  await drafts.write();
  times(NUMBER_OF_FLAT_RATES, (nth) => addFlatRate(part, nth, suffix, articles));
  const mechanics = employees.filter(({ function_kind }) => function_kind === MECHANIC);
  const workplaces = addWorkplaces(part, mechanics, suffix);
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
function addEmployee({ drafts, random }: Part, function_kind: number): EmployeeRecord {
  const name = personName(random, 'NL', 'garage.example');
  return drafts.add(Employee, {
    ...name,
    initials: `${name.first_name.charAt(0)}.`,
    mobile: mobile(random, 'NL'),
    role_kind: function_kind === MANAGER ? ADMIN : USER,
    function_kind,
    start_date: midnight(-random.whole(0, 2000)),
    hourly_rate: `${random.whole(58, 98)}.50`,
    notes: random.maybe(0.2, ['Eerste hulp en BHV ✔, rijbewijs BE']),
  });
}

/** Each kind of article in turn, for some car: `OLF-0003`. */
function addArticle(
  { drafts, random }: Part,
  nth: number,
  suffix: string,
  groups: readonly GroupRecord[],
  suppliers: readonly ContactRecord[],
): ArticleRecord {
  const [code, name, article_kind, unit_type, groupCode, lowest, highest] = inTurn(ARTICLES, nth);
  const group = groups.find((one) => one.code === groupCode + suffix);
  const price = random.whole(lowest, highest);
  const { make, model } = random.pick(CARS);
  const ofStock = KEPT_IN_STOCK.includes(article_kind) && {
    brand: random.pick(BRANDS),
    ean: ean(random),
    supplier_contact_id: random.pick(suppliers).id,
    stock_quantity: `${random.whole(0, 40)}`,
    location: `${random.pick(['A', 'B', 'C', 'É'])}-${random.whole(1, 24)}-${random.whole(1, 6)}`,
    is_stock_item: 1,
  };
  return drafts.add(Article, {
    article_number: `${code}-${String(nth + 1).padStart(4, '0')}${suffix}`,
    description: article_kind === PART ? `${name} ${make} ${model}` : name,
    ...{ article_kind, unit_type, vat_code: group?.vat_code, turnover_group_id: group?.id },
    purchase_price: article_kind === LABOUR ? null : ((price * 0.62) / 100).toFixed(2),
    price: (price / 100).toFixed(2),
    ...ofStock,
  });
}

/** Labour and articles at their own price, and a line that is filled in by hand. */
function addFlatRate(part: Part, nth: number, suffix: string, articles: readonly ArticleRecord[]): void {
  const { drafts, random } = part;
  const [name, hours, codes, byHand] = inTurn(FLAT_RATES, nth);
  const { make, model } = random.pick(CARS);
  const used = ['ARB', ...codes].map((code, place) => {
    const ofCode = articles.filter(({ article_number }) => article_number.startsWith(`${code}-`));
    return { article: random.pick(ofCode), quantity: place === 0 ? hours : 1 };
  });
  const nets = used.map(({ article, quantity }) => roundTo(new Decimal(article.price).times(quantity), 2));
  const { turnover_group_id = null } = used[0]?.article ?? {};
  const flatrate_id = drafts.add(FlatRate, {
    code: `FR-${String(nth + 1).padStart(3, '0')}${suffix}`,
    name: `${name} ${make} ${model}`,
    description: `${name}, inclusief controle en proefrit. Prijs geldt voor de ${model}.`,
    ...{ vehicle_make: make, vehicle_model: model, labour_hours: `${hours}`, vat_code: LISTS.vatcodes.HIGH },
    turnover_group_id,
    valid_from: midnight(random.whole(0, 300)),
    total_net: roundTo(Decimal.sum(BY_HAND.price, ...nets), 2),
  });
  for (const [place, { article, quantity }] of used.entries()) {
    const { article_kind } = article;
    const line = { ...articleColumns(article), article_kind, quantity: `${quantity}`, sort_order: place + 1 };
    drafts.add(FlatRateLine, { ...line, flatrate_id });
  }
  const last = { ...BY_HAND, description: byHand, turnover_group_id, sort_order: used.length + 1 };
  drafts.add(FlatRateLine, { ...last, flatrate_id });
}

/** A workplace and the hours of each mechanic, and the absences. */
function addWorkplaces({ drafts }: Part, mechanics: readonly EmployeeRecord[], suffix: string) {
  const workplaces = mechanics.map((employee_id, nth) => {
    for (const weekday of WORKING_DAYS)
      for (const stretch of STRETCHES) drafts.add(WorkHour, { employee_id, weekday, ...stretch });
    return drafts.add(Workplace, {
      code: `P${nth + 1}${suffix}`,
      name: `Werkplek ${nth + 1}`,
      workplace_kind: inTurn(WORKPLACES, nth),
      sort_order: nth + 1,
    });
  });
  for (const year of YEARS) {
    const [starts_at, ends_at] = [`${year}-${CLOSED[0]} 00:00:00.000`, `${year}-${CLOSED[1]} 23:00:00.000`];
    drafts.add(Absence, { starts_at, ends_at, reason: 'Kerst' });
  }
  const away = (from: number, to: number) => ({ starts_at: midnight(from, END), ends_at: midnight(to, END) });
  drafts.add(Absence, { employee_id: mechanics[0], ...away(90, 104), reason: 'Vakantie' });
  drafts.add(Absence, { workplace_id: workplaces[0], ...away(30, 31), reason: 'Keuring' });
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
