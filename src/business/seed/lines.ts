// The lines of each type of order. The service's own rules compute the amounts.
import type { OrderLine } from '../../core/resources/order-line.ts';
import { Decimal, roundTo } from '../../core/trade/decimal.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { type OrderToSettle, orderAmounts, settledAmounts, sumUp } from '../../core/trade/settle.ts';
import { type Line, lineTotals, priceWithVat } from '../../core/trade/totals.ts';
import { percentageOn } from '../../core/trade/vat-code.ts';
import { RATE_DAY } from './calendar.ts';
import type { ContactRecord } from './contacts.ts';
import type { Draft } from './drafts.ts';
import { IN_ZURICH, LINE_REMARKS } from './names.ts';
import type { Random } from './random.ts';
import { type ArticleRecord, articleColumns, type Setup } from './setup.ts';
import type { Pair, VehicleRecord } from './vehicles.ts';

const { ARTICLE, LABOUR, VEHICLE, TRADE_IN, BPM, FEE, TEXT } = LISTS.linekinds;
const { HIGH, LOW, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;
const { VEHICLE_SALES, VEHICLE_PURCHASE } = LISTS.ordertypes;
const { LITRE, HOUR } = LISTS.unittypes;
const ONE = { quantity: '1', discount_percentage: null, purchase_price: null };

/** A line with all that its amounts depend on. */
export type LineDraft = Draft<typeof OrderLine> &
  Line & { readonly purchase_price: string | null; readonly vehicle_id?: number | null };

/** One to six lines, the first one labour. */
export function workLines(random: Random, { mechanics, labour, goods }: Setup): LineDraft[] {
  const employee_id = random.pick(mechanics).id;
  const hours = `${random.whole(1, 24) * 0.25}`;
  const lines: LineDraft[] = [{ ...articleLine(random.pick(labour), hours), line_kind: LABOUR, employee_id }];
  for (let count = random.pick([0, 1, 1, 2, 2, 2, 3, 3, 4]); count > 0; count -= 1) {
    const article = random.pick(goods);
    const isMeasured = article.unit_type === LITRE || article.unit_type === HOUR;
    const quantity = isMeasured ? `${random.whole(5, 64) / 10}` : `${random.pick([1, 1, 1, 2, 4])}`;
    const discount_percentage = random.maybe(0.12, ['5', '10', '12.5', '25']);
    lines.push({ ...articleLine(article, quantity), discount_percentage });
  }
  if (random.chance(0.1)) lines.push(plainLine(TEXT, random.pick(LINE_REMARKS), '0', HIGH));
  return lines;
}

/** A car under the margin scheme, or with VAT and its bpm, and perhaps a trade-in. */
export function saleLines(random: Random, { goods }: Setup, { car, contact, traded }: Pair): LineDraft[] {
  const isMargin = car.tax_kind === LISTS.taxkinds.MARGIN;
  const price = isMargin ? String(car.sale_price) : (Number(car.sale_price) / 1.21).toFixed(4);
  const lines: LineDraft[] = [
    {
      ...plainLine(VEHICLE, nameOf(car), price, isMargin ? MARGIN : HIGH),
      vehicle_id: car.id,
      purchase_price: car.purchase_price,
    },
    plainLine(FEE, 'Kosten rijklaar maken 🧼', `${random.whole(195, 495)}`, HIGH),
  ];
  const isBpmDue = !isMargin && codeAbroad(contact, VEHICLE_SALES) === undefined;
  if (isBpmDue && car.bpm_amount !== null) lines.push(plainLine(BPM, 'Rest-bpm', car.bpm_amount, OUTSIDE));
  if (random.chance(0.5)) lines.push(articleLine(random.pick(goods), '1'));
  if (!traded) return lines;
  const tradeIn = plainLine(TRADE_IN, `Inruil ${nameOf(traded)}`, `-${traded.purchase_price}`, MARGIN);
  return [...lines, { ...tradeIn, vehicle_id: traded.id }];
}

/** A car bought under the margin scheme, or with VAT. */
export const purchaseLines = (car: VehicleRecord): LineDraft[] => {
  const vat_code = car.tax_kind === LISTS.taxkinds.MARGIN ? MARGIN : HIGH;
  const line = plainLine(VEHICLE, `Inkoop ${nameOf(car)}`, car.purchase_price ?? '0', vat_code);
  return [{ ...line, vehicle_id: car.id }];
};

export const bpmLines = (random: Random): LineDraft[] => [
  plainLine(BPM, 'Bpm-aangifte geïmporteerd voertuig', `${random.whole(350, 7900)}`, OUTSIDE),
  plainLine(FEE, 'Leges RDW-keuring', '58.80', OUTSIDE),
  plainLine(FEE, 'Kentekenplaten (één paar)', '42.50', OUTSIDE),
];

/** The line for a consumer, whose prices include VAT, in whole cents. */
export const withVat = (line: LineDraft): LineDraft => ({
  ...line,
  price: roundTo(new Decimal(priceWithVat(roundTo(line.price, 4), percentageOn(line.vat_code, RATE_DAY))), 2),
});

/** The code instead of HIGH and LOW: of a company abroad. Undefined: VAT is due. */
export function codeAbroad(
  { country_id, is_vat_shifted }: Pick<ContactRecord, 'country_id' | 'is_vat_shifted'>,
  order_type: number,
): number | undefined {
  if (country_id === IN_ZURICH.country_id) return order_type === VEHICLE_PURCHASE ? REVERSE_CHARGE : EXPORT;
  if (is_vat_shifted === 0) return undefined;
  return order_type === VEHICLE_SALES || order_type === VEHICLE_PURCHASE ? INTRA_COMMUNITY : REVERSE_CHARGE;
}

/** Completes the lines with their order, turnover group and amounts, and answers the amounts of the order. */
export function settle(
  lines: readonly LineDraft[],
  { groups }: Setup,
  order: OrderToSettle,
  code: number | undefined,
) {
  const whole = lines.map((line, index) => {
    const isTaxed = line.vat_code === HIGH || line.vat_code === LOW;
    if (isTaxed && code !== undefined) Object.assign(line, { vat_code: code, turnover_group_id: null });
    line.turnover_group_id ??= groups.find(({ vat_code }) => vat_code === line.vat_code)?.id;
    const totals = lineTotals(line, percentageOn(line.vat_code, order.day), order.is_vat_included === 1);
    Object.assign(line, totals, { sort_order: index + 1 });
    const { line_kind = ARTICLE, vehicle_id = null } = line;
    // No line takes a deposit off yet.
    return { ...line, ...totals, line_kind, vehicle_id, credited_line_id: null };
  });
  const settled = settledAmounts(whole, order);
  for (const [index, line] of lines.entries()) Object.assign(line, settled[index]);
  return orderAmounts(
    sumUp(
      whole.map((line, index) => ({ ...line, ...settled[index] })),
      order,
    ),
  );
}

const nameOf = ({ make, model, license_plate }: VehicleRecord) => `${make} ${model} ${license_plate}`;

const plainLine = (line_kind: number, description: string, price: string, vat_code: number): LineDraft => ({
  ...ONE,
  ...{ line_kind, description, price, vat_code },
});

function articleLine(article: ArticleRecord, quantity: string): LineDraft {
  const { price, vat_code, purchase_price } = article;
  return {
    ...ONE,
    ...articleColumns(article),
    line_kind: ARTICLE,
    quantity,
    price,
    vat_code,
    purchase_price,
  };
}
