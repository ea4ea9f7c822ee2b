// The moves of a story: what people and programs do in a garage. Most of them succeed; the others are refused.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../build/build.ts';
import type { Json } from '../client/client.ts';
import { importJson } from '../client/import.ts';
import type { Picked, Story } from './story.ts';

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL } = LISTS.ordertypes;
const { LABOUR, ARTICLE, VEHICLE, TRADE_IN } = LISTS.linekinds;
const { HIGH, LOW, ZERO, MARGIN, REVERSE_CHARGE, INTRA_COMMUNITY } = LISTS.vatcodes;
const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
const { CUSTOMER, STOCK, SOLD } = LISTS.stockstatuses;
const { MARGIN: MARGIN_CAR } = LISTS.taxkinds;
const { INVOICE } = LISTS.orderstatuses;
const { BANK, CASH } = LISTS.paymentmethods;
const OLDEST_DAYS = 150;

export type Move = (story: Story) => Promise<unknown>;

/** Makes an order with its lines, and an invoice of it. Answers its ID; undefined: it was refused. */
async function trade(story: Story, what: string, order: Json, lines: readonly Json[], isInvoiced = true) {
  const { client, random, groups } = story;
  const orderline = lines.map((line) => ({
    line_kind: ARTICLE,
    description: what,
    quantity: 1,
    turnover_group_id: random.pick(groups),
    ...line,
  }));
  const body = { order_type: WORKSHOP, order_date: new Date().toISOString(), ...order, orderline };
  const { data } = await story.tell(what, client.post('/order', body));
  if (isInvoiced && data) await invoiceIt(story, data.id);
  return data?.id as number | undefined;
}

const invoiceIt = (story: Story, id: number) =>
  story.tell(`invoice ${id}`, story.client.put(`/order/${id}`, { order_status: INVOICE }));

const price = ({ random }: Story, from: number, to: number) => random.whole(from * 100, to * 100) / 100;

const work: Move = async (story) => {
  const { random, contacts } = story;
  const isAbroad = random.chance(0.2);
  const code = () => (isAbroad ? INTRA_COMMUNITY : random.pick([HIGH, HIGH, LOW, ZERO, REVERSE_CHARGE]));
  const line = () => ({
    line_kind: random.pick([LABOUR, ARTICLE]),
    price: price(story, 10, 900),
    vat_code: code(),
    purchase_price: price(story, 5, 100),
  });
  const contact_id = isAbroad ? contacts.abroad : contacts.dealer;
  await trade(story, 'work', { contact_id, is_vat_included: random.pick([0, 1]) }, [line(), line()]);
};

const buy: Move = async (story) => {
  const { client, random, contacts } = story;
  const known =
    random.chance(0.4) && (await story.pick('vehicles', `stock_status IN (${CUSTOMER}, ${SOLD})`));
  const car = known || ((await build(client, 'vehicle', { stock_status: CUSTOMER })) as Picked);
  const purchase_proof = random.pick([STATEMENT, STATEMENT, SUPPLIER_INVOICE, SUPPLIER_INVOICE, SELF_BILLED]);
  const isPrivate = purchase_proof === STATEMENT;
  const own = purchase_proof === SUPPLIER_INVOICE && {
    supplier_invoice_number: `S-${story.next()}`,
    supplier_invoice_date: random.chance(0.8) ? story.ago(OLDEST_DAYS) : null,
  };
  const order = { order_type: VEHICLE_PURCHASE, vehicle_id: car.id, purchase_proof, ...own };
  const vat_code = isPrivate ? MARGIN : random.pick([HIGH, MARGIN, REVERSE_CHARGE]);
  await trade(
    story,
    'buy',
    { ...order, contact_id: isPrivate ? random.pick(contacts.persons) : contacts.dealer },
    [{ line_kind: VEHICLE, price: price(story, 1_000, 9_000), vat_code, vehicle_id: car.id }],
  );
};

const sell: Move = async (story) => {
  const { random, contacts } = story;
  const car = await story.pick('vehicles', `stock_status = ${STOCK}`);
  if (!car) return;
  const vat_code = car.tax_kind === MARGIN_CAR ? random.pick([HIGH, MARGIN, MARGIN, MARGIN]) : HIGH;
  const lines: Json[] = [
    { line_kind: VEHICLE, price: price(story, 1_500, 12_000), vat_code, vehicle_id: car.id },
  ];
  if (random.chance(0.3)) lines.push({ price: -price(story, 10, 200), vat_code });
  const other =
    random.chance(0.3) && (await story.pick('vehicles', `stock_status IN (${CUSTOMER}, ${SOLD})`));
  if (other && other.id !== car.id)
    lines.push({
      line_kind: TRADE_IN,
      price: -price(story, 200, 1_400),
      vat_code: MARGIN,
      vehicle_id: other.id,
    });
  await trade(
    story,
    'sell',
    { order_type: VEHICLE_SALES, vehicle_id: car.id, contact_id: random.pick(contacts.persons) },
    lines,
  );
};

/** A deposit, which is invoiced; sometimes its order too. */
const deposit: Move = async (story) => {
  const { client, random, contacts } = story;
  const line = { line_kind: LABOUR, price: 1_000, vat_code: random.pick([HIGH, LOW]) };
  const order_id = await trade(story, 'target', { contact_id: random.pick(contacts.persons) }, [line], false);
  const amount = price(story, 50, 900);
  const { data } = await story.tell('deposit', client.post('/order/deposit', { order_id, amount }));
  if (data) await invoiceIt(story, data.id);
  if (order_id !== undefined && random.chance(0.6)) await invoiceIt(story, order_id);
};

const credit: Move = async (story) => {
  const { client, random } = story;
  const invoice = await story.pick('orders', `is_invoiced = 1 AND order_type <> ${INTERNAL_REVERSAL}`);
  if (!invoice) return;
  const line =
    random.chance(0.4) && (await story.pick('orderlines', `order_id = ${invoice.id} AND quantity > 0`));
  const part = line && { orderline: [{ id: line.id, quantity: random.pick([1, 0.5]) }] };
  const body = { order_id: invoice.id, is_invoiced: 1, ...part };
  await story.tell(`credit ${invoice.id}`, client.post('/order/credit', body));
};

const pay: Move = async (story) => {
  const { client, random } = story;
  const invoice = await story.pick('orders', 'is_invoiced = 1 AND amount_open <> 0');
  if (!invoice) return;
  const open = Number(invoice.amount_open);
  const amount = random.chance(0.5) ? open : Math.round(open * random.whole(10, 90)) / 100;
  const body = {
    order_id: invoice.id,
    amount,
    method: random.pick([BANK, CASH]),
    paid_at: story.ago(OLDEST_DAYS),
  };
  await story.tell(`pay ${invoice.id}`, client.post('/payment', body));
};

const changePayment: Move = async (story) => {
  const { client, random } = story;
  const payment = await story.pick('payments', '1 = 1');
  if (!payment) return;
  const body = random.pick<Json>([
    { paid_at: story.ago(OLDEST_DAYS) },
    { amount: Number(payment.amount) / 2 },
    { reference: `R-${story.next()}` },
    { method: CASH },
  ]);
  await story.tell(`change payment ${payment.id}`, client.put(`/payment/${payment.id}`, body));
};

const deletePayment: Move = async (story) => {
  const payment = await story.pick('payments', '1 = 1');
  if (payment) await story.tell(`delete payment ${payment.id}`, story.client.del(`/payment/${payment.id}`));
};

const changeCar: Move = async (story) => {
  const { client, random } = story;
  const car = await story.pick('vehicles', '1 = 1');
  if (!car) return;
  const body = random.pick<Json>([
    { bpm_paid: price(story, 100, 900) },
    { purchase_price: price(story, 500, 5_000) },
    { stock_status: random.pick([CUSTOMER, STOCK, SOLD]) },
  ]);
  await story.tell(`car ${car.id}`, client.put(`/vehicle/${car.id}`, body));
};

/** `OF_GARAGE`: settings of a garage, none of which may move a closed day. */
const OF_GARAGE: readonly Json[] = [
  { payment_days: 30 },
  { is_cash_rounded: 1 },
  { okr_minimum: 10 },
  { invoice_prefix: 'N' },
  { timezone: 'America/New_York' },
  { debtor_account: '1301', cash_account: '1001' },
];

const changeSettings: Move = async (story) => {
  const { client, random, groups, contacts } = story;
  const [first, second] = groups;
  const [path, body] = random.pick<readonly [string, Json]>([
    [`/owner/${client.garage.owner}`, random.pick(OF_GARAGE)],
    [`/turnovergroup/${first}`, { stock_ledger_account: random.pick(['3100', null]) }],
    [
      `/turnovergroup/${second}`,
      { stock_ledger_account: random.pick(['3200', null]), ledger_account: '8100' },
    ],
    [`/contact/${contacts.dealer}`, { payment_days: 60, debtor_number: `D${story.next()}` }],
    [`/contact/${contacts.abroad}`, { vat_number: 'DE811907980', country_id: 1, postcode: '3511 AB' }],
  ]);
  await story.tell(`set ${JSON.stringify(body)}`, client.put(path, body));
};

const anonymise: Move = async (story) => {
  const { client, random, contacts } = story;
  const id = random.pick([contacts.persons[0], contacts.abroad]);
  await story.tell(`anonymise ${id}`, client.put('/contact/anonymise', { id }));
};

const bringOld: Move = async (story) => {
  const { client, random, contacts } = story;
  const number = story.next();
  const line = { line_kind: LABOUR, description: 'Oud', quantity: 1, price: 100, vat_code: HIGH };
  const row = {
    order_type: WORKSHOP,
    order_date: '2020-01-01',
    invoice_number: `OUD-${number}`,
    invoice_date: story.ago(OLDEST_DAYS),
    contact_id: random.pick(contacts.persons),
    orderline: [{ ...line, turnover_group_id: story.groups[0] }],
  };
  const { rows } = await importJson(client, 'resource=order&history=1', [row]);
  story.told.push(`old invoice: ${rows[0]?.status}`);
};

/** Trade and payments, the frequent ones several times. */
export const TRADE: readonly Move[] = [
  ...[work, buy, buy, buy, sell, sell, sell, deposit, credit, credit],
  ...[pay, pay, pay, changePayment, deletePayment, changeCar],
];

/** All that may happen once books are closed. */
export const AFTERWARDS: readonly Move[] = [...TRADE, changeSettings, changeSettings, anonymise, bringOld];
