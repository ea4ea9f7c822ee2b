// Cars are bought, sold and taken in trade.
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Json } from '../../support/client/client.ts';
import { daysBefore } from '../arithmetic/exact.ts';
import type { Desk } from '../desk.ts';
import type { Dice } from '../dice.ts';
import { contactsOf, groupFor, groupOf } from './opening.ts';
import { newOwner } from './owners.ts';

const { ordertypes, linekinds, vatcodes, purchaseproofs, stockstatuses, orderstatuses } = LISTS;
const { VEHICLE, TRADE_IN } = linekinds;
const { HIGH, LOW, MARGIN, INTRA_COMMUNITY, EXPORT, REVERSE_CHARGE } = vatcodes;
// Below every price of a car.
const DISCOUNT = 0.5;
const LETTERS = 'BDFGHJKLNPRSTVXZ';
const MOST_PRICE = 20_000;

/** A Dutch plate that no other step has. */
export function plateOf(number: number): string {
  const letter = (power: number) => LETTERS[Math.floor(number / (1000 * 16 ** power)) % 16];
  return `${letter(2)}${letter(1)}-${String(number % 1000).padStart(3, '0')}-${letter(0)}`;
}

/** A car that the garage has seen, or a new one. */
async function aCar(desk: Desk, dice: Dice): Promise<number> {
  const seen = dice.chance(60) ? dice.pick(desk.all('vehicle')) : undefined;
  const isHere = seen && (await desk.read(`/vehicle/${seen}`)).stock_status === stockstatuses.STOCK;
  return (isHere ? undefined : seen) ?? newCar(desk, dice);
}

/** Most cars have an owner. */
async function newCar(desk: Desk, dice: Dice): Promise<number> {
  const id = await desk.found('/vehicle', {
    license_plate: plateOf(desk.serial()),
    vehicle_kind: 1,
    make: 'Volvo',
    model: 'V60',
    stock_status: stockstatuses.CUSTOMER,
  });
  if (dice.chance(60)) await newOwner(desk, dice, id);
  return id;
}

const carLine = (desk: Desk, vehicle_id: number, price: number, vat_code: number): Json => ({
  line_kind: linekinds.VEHICLE,
  description: 'Auto',
  quantity: 1,
  price,
  vat_code,
  vehicle_id,
  turnover_group_id: groupOf(desk, 'CARS'),
});

/** More than a discount. */
const carPrice = (dice: Dice, most: number): number => Math.round(100 * (1 + dice.euros(most))) / 100;

export const dayBefore = (desk: Desk, days: number): string => daysBefore(`${desk.today}T09:00:00Z`, days);
/** A day on which the low rate was another one than today. */
export const OTHER_RATES = '2018-11-20T12:00:00Z';
const today = (desk: Desk): string => `${desk.today}T08:00:00Z`;

export const invoice = (desk: Desk, id: number) =>
  desk.ask('PUT', `/order/${id}`, { order_status: orderstatuses.INVOICE });

/** Adds an order, remembers its lines, and invoices most orders at once. */
async function ordered(desk: Desk, dice: Dice, body: Json): Promise<void> {
  const isLeft = dice.chance(25);
  const type = body.order_type;
  const isTarget = type === ordertypes.WORKSHOP || type === ordertypes.VEHICLE_SALES;
  const made = await desk.add('/order', { order_date: today(desk), ...body }, { type, isLeft, isTarget });
  if (!made) return;
  for (const { id, line_kind } of made.orderline as Json[])
    desk.note('orderline', Number(id), { isCar: line_kind === VEHICLE || line_kind === TRADE_IN });
  if (!isLeft) await invoice(desk, Number(made.id));
  else if (isTarget && dice.chance(60)) await depositOf(desk, dice.rest(), Number(made.id));
}

/**
 * Makes a deposit, mostly of a part of the order; a deposit of more than the order is refused. The order is often
 * invoiced right after its deposit.
 */
export async function depositOf(desk: Desk, dice: Dice, order_id: number): Promise<void> {
  const { total_gross } = await desk.read(`/order/${order_id}`);
  const part = Math.round(Number(total_gross ?? 0) * (5 + dice.below(60))) / 100;
  const amount = part > 0 && dice.chance(80) ? part : dice.euros(3_000);
  const made = await desk.add('/order/deposit', { order_id, amount });
  if (!made) return;
  const isLeft = dice.chance(20);
  desk.note('order', Number(made.id), { isLeft });
  if (!isLeft) await invoice(desk, Number(made.id));
  if (dice.chance(40) && (await invoice(desk, order_id)).status === 200)
    desk.note('order', order_id, { isLeft: false });
}

/** An order; more often than not one that was not invoiced at once. */
export const anOrder = (desk: Desk, dice: Dice): number | undefined =>
  likely(desk, dice, ({ isLeft }) => isLeft === true);

/** An order; more often than not one that takes deposits. */
export const aTarget = (desk: Desk, dice: Dice): number | undefined =>
  likely(desk, dice, ({ isLeft, isTarget }) => isLeft === true && isTarget === true);

/** An order; more often than not one that was invoiced at once. */
export const anInvoice = (desk: Desk, dice: Dice): number | undefined =>
  likely(desk, dice, ({ isLeft, isCredit }) => isLeft === false && isCredit !== true);

const likely = (desk: Desk, dice: Dice, is: (facts: Json) => boolean): number | undefined =>
  (dice.chance(60) ? dice.pick(desk.all('order').filter((id) => is(desk.facts('order', id)))) : undefined) ??
  dice.pick(desk.all('order'));

export const buy = (desk: Desk, dice: Dice): Promise<void> =>
  buyBy(desk, dice, {
    proof: dice.weigh([
      [purchaseproofs.STATEMENT, 4],
      [purchaseproofs.SELF_BILLED, 2],
      [purchaseproofs.SUPPLIER_INVOICE, 3],
    ] as const),
    day: dice.chance(60) ? dayBefore(desk, dice.below(60)) : null,
  });

/** Buys by an invoice of the seller that has this date. */
export const buyOn = (desk: Desk, dice: Dice, day: string): Promise<void> =>
  buyBy(desk, dice, { proof: purchaseproofs.SUPPLIER_INVOICE, day });

/** `day`: the date of the seller's invoice. */
async function buyBy(
  desk: Desk,
  dice: Dice,
  { proof, day }: { readonly proof: number; readonly day: string | null },
): Promise<void> {
  const isStatement = proof === purchaseproofs.STATEMENT;
  const sellers = contactsOf(desk, ...(isStatement ? ['person'] : ['dealer', 'eu']));
  const code = isStatement
    ? MARGIN
    : dice.weigh([
        [MARGIN, 3],
        [HIGH, 4],
        [REVERSE_CHARGE, 1],
      ] as const);
  const vehicle_id = await aCar(desk, dice);
  const lines = [carLine(desk, vehicle_id, carPrice(dice, MOST_PRICE), code)];
  if (dice.chance(15))
    lines.push({
      ...carLine(desk, vehicle_id, DISCOUNT, code),
      quantity: -1,
      line_kind: linekinds.ARTICLE,
      description: 'Korting',
    });
  await ordered(desk, dice, {
    order_type: ordertypes.VEHICLE_PURCHASE,
    contact_id: dice.pick(sellers),
    vehicle_id,
    purchase_proof: proof,
    ...(proof === purchaseproofs.SUPPLIER_INVOICE && {
      supplier_invoice_number: `L-${desk.serial()}`,
      supplier_invoice_date: day,
    }),
    orderline: lines,
  });
}

export async function sell(desk: Desk, dice: Dice): Promise<void> {
  const vehicle_id = dice.pick(desk.all('vehicle'));
  if (vehicle_id === undefined) return buy(desk, dice);
  const code = dice.weigh([
    [MARGIN, 6],
    [HIGH, 4],
    [INTRA_COMMUNITY, 1],
    [EXPORT, 1],
  ] as const);
  const kinds =
    code === INTRA_COMMUNITY ? ['eu'] : code === EXPORT ? ['abroad'] : ['person', 'dealer', 'lease'];
  const lines = [carLine(desk, vehicle_id, carPrice(dice, MOST_PRICE), code)];
  if (dice.chance(25))
    lines.push({
      ...carLine(desk, vehicle_id, DISCOUNT, code),
      quantity: -1,
      line_kind: linekinds.ARTICLE,
      description: 'Korting',
    });
  if (dice.chance(40)) lines.push(part(desk, dice, HIGH));
  if (dice.chance(35)) lines.push(await tradeIn(desk, dice));
  await ordered(desk, dice, {
    order_type: ordertypes.VEHICLE_SALES,
    contact_id: dice.pick(contactsOf(desk, ...kinds)),
    vehicle_id,
    is_vat_included: dice.below(2),
    orderline: lines,
  });
}

async function tradeIn(desk: Desk, dice: Dice): Promise<Json> {
  const vehicle = await aCar(desk, dice);
  const code = dice.weigh([
    [MARGIN, 3],
    [HIGH, 1],
  ] as const);
  return {
    ...carLine(desk, vehicle, carPrice(dice, 4_000), code),
    quantity: -1,
    line_kind: linekinds.TRADE_IN,
    description: 'Inruil',
  };
}

function part(desk: Desk, dice: Dice, code: number): Json {
  const kind = dice.weigh([
    [linekinds.ARTICLE, 4],
    [linekinds.LABOUR, 4],
    [linekinds.FEE, 1],
  ] as const);
  return {
    line_kind: kind,
    description: 'Werk en delen',
    quantity: dice.weigh([
      [1, 4],
      [2, 2],
      [0.75, 2],
      [3.3333, 1],
    ] as const),
    price: dice.euros(400),
    ...(dice.chance(20) && { discount_percentage: 12.5 }),
    vat_code: code,
    turnover_group_id: groupFor(desk, code),
  };
}

const WORKSHOP_CODES = [
  [HIGH, 8],
  [LOW, 3],
  [vatcodes.ZERO, 1],
  [vatcodes.EXEMPT, 1],
  [vatcodes.OUTSIDE, 1],
  [REVERSE_CHARGE, 1],
] as const;

export async function repair(desk: Desk, dice: Dice): Promise<void> {
  const codes: number[] = Array.from({ length: 1 + dice.below(4) }, () => dice.weigh(WORKSHOP_CODES));
  const isOld = dice.chance(25);
  if (isOld) codes.push(LOW);
  const kinds = codes.includes(REVERSE_CHARGE) ? ['dealer', 'eu'] : ['person', 'dealer', 'lease'];
  await ordered(desk, dice, {
    order_type: ordertypes.WORKSHOP,
    contact_id: dice.pick(contactsOf(desk, ...kinds)),
    vehicle_id: dice.chance(50) ? (dice.pick(desk.all('vehicle')) ?? null) : null,
    is_vat_included: dice.below(2),
    buyer_reference: 'PO 1',
    ...(isOld && { supply_date: OTHER_RATES }),
    orderline: codes.map((code) => part(desk, dice, code)),
  });
}

export async function payTax(desk: Desk, dice: Dice): Promise<void> {
  const line = {
    line_kind: linekinds.BPM,
    description: 'Bpm',
    quantity: 1,
    price: dice.euros(3_000),
    vat_code: vatcodes.OUTSIDE,
    turnover_group_id: groupFor(desk, vatcodes.OUTSIDE),
  };
  await ordered(desk, dice, {
    order_type: ordertypes.BPM,
    contact_id: dice.pick(contactsOf(desk, 'person')),
    orderline: [line],
  });
}
