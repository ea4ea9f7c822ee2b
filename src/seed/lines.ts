// The lines of an order by its type, with the amounts that the service itself would compute.
import type { Stored } from '../model/field.ts';
import { Decimal, roundTo } from '../trade/decimal.ts';
import { LISTS } from '../trade/lists.ts';
import { type Line, lineTotals, orderTotals } from '../trade/totals.ts';
import type { Catalogue } from './catalogue.ts';
import type { Draft } from './insert.ts';
import type { Random } from './random.ts';

const { ARTICLE, LABOUR, VEHICLE, TRADE_IN, BPM, FEE, DEPOSIT, TEXT } = LISTS.linekinds;
const { HIGH, LOW, REVERSE_CHARGE, MARGIN, OUTSIDE } = LISTS.vatcodes;
const { LITRE, HOUR } = LISTS.unittypes;
const LINES_OF_WORK = [1, 2, 2, 3, 3, 3, 4, 4, 5, 6];
const REMARKS = [
  'Oude onderdelen op verzoek in de kofferbak gelegd 📦',
  'Let op: profieldiepte achter 2,5 mm — advies: vervangen vóór de winter ❄️',
  'Volgende beurt over 15.000 km of één jaar',
];

export function workLines(random: Random, catalogue: Catalogue): Draft[] {
  const { mechanics, labour, goods, groups } = catalogue;
  const mechanic = random.pick(mechanics).id ?? null;
  return Array.from({ length: random.pick(LINES_OF_WORK) }, (_, index) => {
    if (index === 0 || (index === 3 && random.chance(0.5))) {
      const hours = `${random.whole(1, 24) * 0.25}`;
      return { ...articleLine(random.pick(labour), hours), line_kind: LABOUR, employee_id: mechanic };
    }
    if (index === 5) return plainLine(TEXT, random.pick(REMARKS), '0', HIGH, groups.get('ARB'));
    const article = random.pick(goods);
    const line = articleLine(article, quantityOf(random, article.unit_type));
    return random.chance(0.12)
      ? { ...line, discount_percentage: random.pick(['5', '10', '12.5', '25']) }
      : line;
  });
}

/** A car under the margin scheme, or with VAT and its bpm; with what comes with a sale. */
export function saleLines(
  random: Random,
  { groups, goods }: Catalogue,
  car: Draft,
  isOpen: boolean,
): Draft[] {
  const name = nameOf(car);
  const price = String(car.sale_price);
  const isMargin = car.tax_kind === LISTS.taxkinds.MARGIN;
  const sold = isMargin
    ? plainLine(VEHICLE, name, price, MARGIN, groups.get('VMG'))
    : plainLine(VEHICLE, name, roundTo(new Decimal(price).div('1.21'), 4), HIGH, groups.get('VNW'));
  const lines: Draft[] = [
    { ...sold, vehicle_id: car.id ?? null, purchase_price: car.purchase_price ?? null },
    plainLine(FEE, 'Kosten rijklaar maken 🧼', `${random.whole(195, 495)}`, HIGH, groups.get('VNW')),
  ];
  if (!isMargin && car.bpm_amount)
    lines.push(plainLine(BPM, 'Rest-bpm', String(car.bpm_amount), OUTSIDE, groups.get('LEG')));
  if (random.chance(0.5)) lines.push(articleLine(random.pick(goods), '1'));
  if (random.chance(0.4)) {
    const worth = Math.round(Number(price) * (0.1 + random.next() * 0.4));
    lines.push(
      plainLine(
        TRADE_IN,
        `Inruil ${random.pick(['Fiat Panda', 'Seat Ibiza', 'Suzuki Swift'])}`,
        `-${worth}`,
        OUTSIDE,
        groups.get('VMG'),
      ),
    );
  }
  if (isOpen && random.chance(0.3))
    lines.push(plainLine(DEPOSIT, 'Aanbetaling per pin', '-250', OUTSIDE, groups.get('LEG')));
  return lines;
}

/** What the garage pays for a car; of a private person without VAT. */
export function purchaseLines(random: Random, { groups }: Catalogue, car: Draft): Draft[] {
  const bought = plainLine(
    VEHICLE,
    `Inkoop ${nameOf(car)}`,
    String(car.purchase_price),
    OUTSIDE,
    groups.get('VMG'),
  );
  const lines = [{ ...bought, vehicle_id: car.id ?? null }];
  return random.chance(0.7)
    ? [...lines, plainLine(FEE, 'Vrijwaring en tenaamstelling', '11.75', OUTSIDE, groups.get('LEG'))]
    : lines;
}

export function bpmLines(random: Random, { groups }: Catalogue): Draft[] {
  const fee = (name: string, price: string) => plainLine(FEE, name, price, OUTSIDE, groups.get('LEG'));
  return [
    plainLine(
      BPM,
      'Bpm-aangifte geïmporteerd voertuig',
      `${random.whole(350, 7900)}`,
      OUTSIDE,
      groups.get('LEG'),
    ),
    fee('Leges RDW-keuring', '58.80'),
    ...(random.chance(0.5) ? [fee('Kentekenplaten (één paar)', '42.50')] : []),
  ];
}

/** Takes back a whole invoice, or one line of it: the same with quantities below 0. */
export function creditLines(random: Random, lines: readonly Draft[], mayBePart: boolean): Draft[] {
  const taken =
    mayBePart && random.chance(0.4)
      ? [random.pick(lines.filter(({ line_net }) => Number(line_net) > 0))]
      : lines;
  return taken.map(({ line_kind, article_id, article_number, description, unit_type, price, ...line }) => ({
    line_kind: line_kind ?? null,
    article_id: article_id ?? null,
    article_number: article_number ?? null,
    description: description ?? null,
    quantity: `-${line.quantity}`,
    unit_type: unit_type ?? null,
    price: price ?? null,
    discount_percentage: line.discount_percentage ?? null,
    vat_code: line.vat_code ?? null,
    turnover_group_id: line.turnover_group_id ?? null,
    vehicle_id: line.vehicle_id ?? null,
    employee_id: line.employee_id ?? null,
    purchase_price: line.purchase_price ?? null,
  }));
}

/** A buyer elsewhere in the EU pays the VAT himself. */
export function shiftVat(lines: readonly Draft[], { groups }: Catalogue): Draft[] {
  const shifted = { vat_code: REVERSE_CHARGE, turnover_group_id: groups.get('ICL') ?? null };
  return lines.map((line) =>
    line.vat_code === HIGH || line.vat_code === LOW ? { ...line, ...shifted } : line,
  );
}

/** Numbers the lines, computes their amounts, and answers the amounts of their order. */
export function settle(lines: readonly Draft[], isCredit: boolean): Draft {
  lines.forEach((line, index) => {
    Object.assign(line, lineTotals(amountsOf(line), isCredit), { sort_order: index + 1 });
  });
  const sums = lines.map(({ vat_code, line_net }) => ({ vat_code: Number(vat_code), net: String(line_net) }));
  const { rates, total_net, total_vat, total_gross } = orderTotals(sums);
  const netOf = (code: number) => rates.find(({ vat_code }) => vat_code === code)?.net ?? '0.00';
  return { total_net, total_vat, total_gross, net_high: netOf(HIGH), net_low: netOf(LOW) };
}

const text = (value: Stored | undefined) => (value == null ? null : String(value));

const amountsOf = ({ quantity, price, discount_percentage, vat_code, purchase_price }: Draft): Line => ({
  quantity: String(quantity),
  price: String(price),
  discount_percentage: text(discount_percentage),
  vat_code: Number(vat_code),
  purchase_price: text(purchase_price),
});

const nameOf = ({ make, model, license_plate }: Draft) => `${make} ${model} ${license_plate}`;

const articleLine = (article: Draft, quantity: string): Draft => ({
  line_kind: ARTICLE,
  article_id: article.id ?? null,
  article_number: article.article_number ?? null,
  description: article.description ?? null,
  quantity,
  unit_type: article.unit_type ?? null,
  price: article.price ?? null,
  vat_code: article.vat_code ?? null,
  turnover_group_id: article.turnover_group_id ?? null,
  purchase_price: article.purchase_price ?? null,
});

const plainLine = (
  line_kind: number,
  description: string,
  price: string,
  vat_code: number,
  group: number | undefined,
): Draft => ({ line_kind, description, quantity: '1', price, vat_code, turnover_group_id: group ?? null });

function quantityOf(random: Random, unit: Stored | undefined): string {
  if (unit === LITRE || unit === HOUR) return `${random.whole(5, 64) / 10}`;
  return String(random.pick([1, 1, 1, 1, 2, 2, 4]));
}
