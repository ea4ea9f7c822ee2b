// Orders move on, their lines change, invoices are paid and credited.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { dayOf } from '../../support/build/day.ts';
import type { Json } from '../../support/client/client.ts';
import type { Desk } from '../desk.ts';
import type { Dice } from '../dice.ts';
import { contactsOf, groupFor, METHODS } from './opening.ts';
import { anInvoice, anOrder, aTarget, dayBefore, depositOf, OTHER_RATES, plateOf } from './trading.ts';

const { ordertypes, orderstatuses, linekinds, vatcodes } = LISTS;

export async function moveOn(desk: Desk, dice: Dice): Promise<void> {
  const id = anOrder(desk, dice);
  if (id === undefined) return;
  const body = dice.weigh<Json>([
    [{ order_status: orderstatuses.INVOICE }, 5],
    [{ order_status: orderstatuses.READY }, 2],
    [{ order_status: orderstatuses.CANCELLED }, 2],
    [{ order_status: orderstatuses.ORDER }, 2],
    [{ order_status: orderstatuses.IN_PROGRESS }, 1],
    [{ supply_date: dice.chance(50) ? OTHER_RATES : null }, 1],
  ]);
  const { status } = await desk.ask('PUT', `/order/${id}`, body);
  if (status === 200 && body.order_status === orderstatuses.INVOICE)
    desk.note('order', id, { isLeft: false });
}

export async function changeLine(desk: Desk, dice: Dice): Promise<void> {
  const id = dice.pick(desk.all('orderline'));
  if (id === undefined) return;
  const { isCredit, isCar } = desk.facts('orderline', id);
  const prices = [
    [{ price: (100 + dice.below(50_000)) / 100 }, 3],
    [{ discount_percentage: dice.below(100) }, 1],
  ] as const;
  // A credit line keeps the price of its line, and a car is sold once: the arithmetic knows only such lines.
  const body = isCredit
    ? { quantity: -1 - dice.below(3) }
    : dice.weigh<Json>([
        ...prices,
        [{ quantity: 1 + dice.below(3) }, isCar ? 0 : 2],
        [{ vat_code: vatcodes.LOW, turnover_group_id: groupFor(desk, vatcodes.LOW) }, isCar ? 0 : 1],
      ]);
  if (dice.chance(15)) await desk.ask('DELETE', `/orderline/${id}`);
  else await desk.ask('PUT', `/orderline/${id}`, body);
}

export async function addLine(desk: Desk, dice: Dice): Promise<void> {
  const order_id = dice.pick(desk.all('order'));
  // On a purchase the line would raise the price of the car, and its group has no account of stock.
  if (order_id === undefined || desk.facts('order', order_id).type === ordertypes.VEHICLE_PURCHASE) return;
  const vat_code = dice.weigh([
    [vatcodes.HIGH, 3],
    [vatcodes.LOW, 1],
    [vatcodes.MARGIN, 1],
  ] as const);
  await desk.add('/orderline', {
    order_id,
    line_kind: linekinds.ARTICLE,
    description: 'Erbij',
    quantity: 1,
    price: dice.euros(200),
    vat_code,
    turnover_group_id: groupFor(desk, vat_code),
    ...(vat_code === vatcodes.MARGIN && { purchase_price: dice.euros(150) }),
  });
}

export async function deposit(desk: Desk, dice: Dice): Promise<void> {
  const order_id = aTarget(desk, dice);
  if (order_id !== undefined) await depositOf(desk, dice, order_id);
}

/** Pays the newest invoices most often. A wrong amount is refused. */
export const pay = (desk: Desk, dice: Dice): Promise<void> =>
  payOn(desk, dice, dayOf(dayBefore(desk, dice.below(40))));

/** Pays an invoice on a day. */
export async function payOn(desk: Desk, dice: Dice, day: string): Promise<void> {
  const order_id = dice.pick(desk.all('order'));
  if (order_id === undefined) return;
  const { amount_open } = await desk.read(`/order/${order_id}`);
  const whole = Number(amount_open ?? 100);
  const amount = dice.weigh([
    [whole, 5],
    [Math.round(whole * 33) / 100, 4],
    [Math.round(whole * 20) / 20, 2],
    [-whole, 1],
  ] as const);
  const made = await desk.add(
    '/payment',
    {
      order_id,
      amount,
      method: dice.pick([...METHODS].reverse()),
      paid_at: `${day}T09:00:00Z`,
      reference: `P ${desk.serial()}`,
    },
    { order_id },
  );
  // A refund opens the invoice again.
  if (made && amount * whole < 0) desk.note('order', order_id, { isRepaid: true });
}

export async function changePayment(desk: Desk, dice: Dice): Promise<void> {
  const id = dice.pick(desk.all('payment'));
  if (id === undefined) return;
  const { order_id } = desk.facts('payment', id);
  const change = () =>
    dice.chance(50) ? { paid_at: dayBefore(desk, dice.below(60)) } : { amount: dice.euros(500) };
  await repay(desk, { id, order_id }, dice.chance(50) ? undefined : change());
}

/** Changes a payment, or deletes it. Its invoice may be open again then, after a credit note was settled with it. */
export async function repay(desk: Desk, { id, order_id }: Json, body?: Json): Promise<void> {
  const { status } = await desk.ask(body ? 'PUT' : 'DELETE', `/payment/${id}`, body);
  if (status === 200) desk.note('order', Number(order_id), { isRepaid: true });
}

export async function credit(desk: Desk, dice: Dice): Promise<void> {
  const order_id = anInvoice(desk, dice);
  if (order_id === undefined) return;
  const is_invoiced = dice.chance(25) ? 0 : 1;
  const lines = dice.chance(50) ? await someLines(desk, dice, order_id) : undefined;
  const made = await desk.add('/order/credit', { order_id, is_invoiced, ...(lines && { orderline: lines }) });
  if (!made) return;
  desk.note('order', Number(made.id), { isLeft: is_invoiced === 0, isCredit: true });
  for (const line of made.orderline as Json[]) desk.note('orderline', Number(line.id), { isCredit: true });
}

/** One or two lines, or one line twice; now and then of more pieces than the line has. */
async function someLines(desk: Desk, dice: Dice, order_id: number): Promise<Json[] | undefined> {
  const lines = await desk.list(`/orderline?filter=order_id:${order_id}`);
  if (lines.length === 0) return undefined;
  return Array.from({ length: dice.chance(30) ? 2 : 1 }, () => {
    const line = dice.pick(lines);
    const whole = Math.abs(Number(line?.quantity));
    const quantity = dice.chance(25) ? whole + 1 : whole > 1 && dice.chance(60) ? 1 : whole;
    return { id: line?.id, quantity };
  });
}

export async function changePlate(desk: Desk, dice: Dice): Promise<void> {
  const id = dice.pick(desk.all('vehicle'));
  if (id !== undefined)
    await desk.ask('PUT', '/updatelicenseplate', { id, license_plate: plateOf(desk.serial()) });
}

/** A person leaves, and is forgotten; another one comes. */
export async function forget(desk: Desk, dice: Dice): Promise<void> {
  const people = contactsOf(desk, 'person');
  const id = people.length > 1 ? dice.pick(people) : undefined;
  if (id === undefined) return;
  await desk.ask('PUT', `/contact/anonymise?id=${id}`);
  desk.note('contact', id, { kind: 'forgotten' });
  const { contact_kind, street, huisnummer, postcode, city, country_id } = await desk.read(
    `/contact/${people.find((other) => other !== id)}`,
  );
  await desk.found(
    '/contact',
    {
      contact_kind,
      street,
      huisnummer,
      postcode,
      city,
      country_id,
      first_name: 'Nieuw',
      last_name: `Klant ${desk.serial()}`,
    },
    { kind: 'person' },
  );
}
