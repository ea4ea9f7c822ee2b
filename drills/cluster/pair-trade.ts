// The rules of the trade that two requests at two nodes could break together, each in one entry.
import { LISTS } from '../../src/core/trade/lists.ts';
import { post, put, type Rule, remove } from './pair.ts';
import {
  addBuyer,
  addCreditNote,
  addInvoice,
  addOrder,
  addPurchase,
  addSale,
  addVehicle,
  ORDER_LINE,
} from './record.ts';
import type { Scene } from './scene.ts';

const {
  vehicleroles,
  communicationtypes,
  orderstatuses,
  ordertypes,
  paymentmethods,
  purchaseproofs,
  stockstatuses,
} = LISTS;

const OWNERS: Rule[] = [
  {
    name: 'one owner a vehicle, by PUT',
    prepare: async (scene) => {
      const [vehicle_id, contact_id] = [await addVehicle(scene), await addBuyer(scene)];
      const driver = { vehicle_id, contact_id, role_kind: vehicleroles.DRIVER, start_date: '2026-01-01' };
      const lines = [await scene.add('vehicleroleline', driver), await scene.add('vehicleroleline', driver)];
      const toOwner = (line = 0) => put('vehicleroleline', line, { role_kind: vehicleroles.OWNER });
      return {
        requests: [toOwner(lines[0]), toOwner(lines[1])],
        isBroken: () => hasTwoOwners(scene, vehicle_id),
      };
    },
  },
  {
    name: 'one owner a vehicle, by POST',
    prepare: async (scene) => {
      const [vehicle_id, contact_id] = [await addVehicle(scene), await addBuyer(scene)];
      const owner = { vehicle_id, contact_id, role_kind: vehicleroles.OWNER, start_date: '2026-01-01' };
      const request = post('vehicleroleline', owner);
      return { requests: [request, request], isBroken: () => hasTwoOwners(scene, vehicle_id) };
    },
  },
];

const hasTwoOwners = async (scene: Scene, vehicle: number) =>
  (await scene.list('vehicleroleline', `vehicle_id:${vehicle},role_kind:${vehicleroles.OWNER}`)).length !== 1;

const email = (contact_id: number, is_prefered_email: 0 | 1) => ({
  contact_id,
  communication_type: communicationtypes.EMAIL,
  value: 'anna@garage.example',
  is_prefered_email,
});

const EMAILS: Rule[] = [
  {
    name: 'one preferred e-mail a contact, by PUT',
    prepare: async (scene) => {
      const contact = await addBuyer(scene);
      const lines = [
        await scene.add('contactcommunication', email(contact, 0)),
        await scene.add('contactcommunication', email(contact, 0)),
      ];
      const prefer = (line = 0) => put('contactcommunication', line, { is_prefered_email: 1 });
      return {
        requests: [prefer(lines[0]), prefer(lines[1])],
        isBroken: () => hasTwoPreferred(scene, contact),
      };
    },
  },
  {
    name: 'one preferred e-mail a contact, by POST',
    prepare: async (scene) => {
      const contact = await addBuyer(scene);
      const request = post('contactcommunication', email(contact, 1));
      return { requests: [request, request], isBroken: () => hasTwoPreferred(scene, contact) };
    },
  },
];

const hasTwoPreferred = async (scene: Scene, contact: number) =>
  (await scene.list('contactcommunication', `contact_id:${contact},is_prefered_email:1`)).length !== 1;

const INVOICE = { order_status: orderstatuses.INVOICE };

const INVOICES: Rule[] = [
  {
    name: 'an invoice is credited once at most',
    prepare: async (scene) => {
      const contact = await addBuyer(scene);
      const invoice = await addInvoice(scene, contact);
      const one = await addCreditNote(scene, contact, invoice);
      const other = await addCreditNote(scene, contact, invoice);
      return {
        requests: [put('order', one, INVOICE), put('order', other, INVOICE)],
        isBroken: async () =>
          (await scene.list('order', `credited_order_id:${invoice},is_invoiced:1`)).length !== 1,
      };
    },
  },
  {
    name: 'invoice numbers follow one another',
    prepare: async (scene) => {
      const contact = await addBuyer(scene);
      const [one, other] = [await addOrder(scene, contact), await addOrder(scene, contact)];
      return {
        requests: [put('order', one, INVOICE), put('order', other, INVOICE)],
        isBroken: () => isApart(scene, one, other),
      };
    },
  },
  {
    name: 'a line added while its order is invoiced is part of the invoice, or refused',
    prepare: async (scene) => {
      const order = await addOrder(scene, await addBuyer(scene));
      const line = post('orderline', { ...ORDER_LINE, order_id: order });
      return { requests: [put('order', order, INVOICE), line], isBroken: () => hasWrongTotal(scene, order) };
    },
  },
  {
    name: 'the total of an order is the sum of its lines',
    prepare: async (scene) => {
      const order = await addOrder(scene, await addBuyer(scene));
      const line = post('orderline', { ...ORDER_LINE, order_id: order });
      return { requests: [line, line], isBroken: () => hasWrongTotal(scene, order) };
    },
  },
];

/** Whether the numbers of two invoices do not follow one another. */
async function isApart(scene: Scene, one: number, other: number): Promise<boolean> {
  const invoices = await scene.list('order', `id[in]:${one}|${other}`);
  const [first = 0, second = 0] = invoices.map(({ invoice_number }) => numberOf(invoice_number));
  return Math.abs(first - second) !== 1;
}

/** The digits at the end of `F202600012` and `F17-202600012`, without the year. */
export const numberOf = (invoiceNumber: unknown): number =>
  Number(String(invoiceNumber).replace(/^(.*-|\D*)\d{4}/, ''));

async function hasWrongTotal(scene: Scene, order: number): Promise<boolean> {
  const [found] = await scene.list('order', `id:${order}`);
  const lines = await scene.list('orderline', `order_id:${order}`);
  return found?.total_net !== lines.length * ORDER_LINE.price;
}

const PAYMENTS: Rule[] = [
  {
    name: 'an invoice is paid once at most',
    prepare: async (scene) => {
      const order = await addInvoice(scene, await addBuyer(scene));
      const payment = post('payment', paymentOf(order, GROSS));
      return { requests: [payment, payment], isBroken: () => isPaidWrong(scene, order, 0) };
    },
  },
  {
    name: 'a payment stays while a refund rests on it',
    prepare: async (scene) => {
      const order = await addInvoice(scene, await addBuyer(scene));
      const id = await scene.add('payment', paymentOf(order, GROSS));
      const refund = post('payment', paymentOf(order, -GROSS));
      return { requests: [remove('payment', id), refund], isBroken: () => isPaidWrong(scene, order, GROSS) };
    },
  },
  {
    name: 'cash of an invoice and its credit note stays below the limit',
    prepare: async (scene) => {
      const contact = await addBuyer(scene);
      const order_id = await addOrder(scene, contact);
      await scene.add('orderline', { ...ORDER_LINE, order_id, quantity: MANY });
      await scene.change('order', order_id, INVOICE);
      await scene.add('payment', paymentOf(order_id, (MANY + 1) * GROSS));
      const credit = await scene.add('order/credit', { order_id, is_invoiced: 1 });
      const refund = (order: number) =>
        post('payment', { ...paymentOf(order, -MOST_CASH), method: paymentmethods.CASH });
      return {
        requests: [refund(order_id), refund(credit)],
        isBroken: () => isOtherCash(scene, order_id, credit),
      };
    },
  },
  {
    name: 'cash of a deposit and its final invoice stays below the limit',
    prepare: async (scene) => {
      const order_id = await addOrder(scene, await addBuyer(scene));
      await scene.add('orderline', { ...ORDER_LINE, order_id, quantity: MANY });
      const deposit = await scene.add('order/deposit', { order_id, amount: (MANY / 2) * GROSS });
      await scene.change('order', deposit, INVOICE);
      await scene.change('order', order_id, INVOICE);
      const receipt = (order: number) =>
        post('payment', { ...paymentOf(order, MOST_CASH), method: paymentmethods.CASH });
      return {
        requests: [receipt(deposit), receipt(order_id)],
        isBroken: () => isOtherCash(scene, order_id, deposit),
      };
    },
  },
];

/** Whether the orders have another number of payments in cash than one. */
const isOtherCash = async (scene: Scene, ...orders: readonly number[]) =>
  (await scene.list('payment', `order_id[in]:${orders.join('|')},method:${paymentmethods.CASH}`)).length !==
  1;

/** More than half of the limit of cash for one sale. */
const MOST_CASH = 2000;
/** Pieces, so that an invoice is worth more than twice as much. */
const MANY = 50;

/** The gross amount of an order with one line. */
const GROSS = 1.21 * ORDER_LINE.price;

const paymentOf = (order_id: number, amount: number) => ({
  order_id,
  amount,
  paid_at: '2026-05-01',
  method: paymentmethods.PIN,
});

/** Whether the payments leave another amount open, or the invoice shows another one. */
async function isPaidWrong(scene: Scene, order: number, left: number): Promise<boolean> {
  const [found] = await scene.list('order', `id:${order}`);
  const payments = await scene.list('payment', `order_id:${order}`);
  const paid = payments.reduce((sum, { amount }) => sum + Number(amount), 0);
  return found?.amount_open !== left || GROSS - paid !== left;
}

const IN_STOCK = { stock_status: stockstatuses.STOCK };
/** A seller whose invoices the garage makes out. */
const DEALER = { vat_number: 'NL004495445B01', self_billing_agreed_at: '2026-01-01' };

const STOCK: Rule[] = [
  {
    name: 'a car is sold once',
    prepare: async (scene) => {
      const vehicle = await addVehicle(scene, IN_STOCK);
      const [one, other] = [await addSale(scene, vehicle), await addSale(scene, vehicle)];
      return {
        requests: [put('order', one, INVOICE), put('order', other, INVOICE)],
        isBroken: async () =>
          (await scene.list('order', `vehicle_id:${vehicle},is_invoiced:1`)).length !== 1 ||
          (await hasTwoOwners(scene, vehicle)),
      };
    },
  },
  {
    name: 'a car that is sold gets one owner',
    prepare: async (scene) => {
      const vehicle = await addVehicle(scene, IN_STOCK);
      const sale = await addSale(scene, vehicle);
      const contact_id = await addBuyer(scene);
      const start_date = '2026-01-01';
      const owner = { vehicle_id: vehicle, contact_id, role_kind: vehicleroles.OWNER, start_date };
      return {
        requests: [put('order', sale, INVOICE), post('vehicleroleline', owner)],
        isBroken: async () => {
          const lines = await scene.list(
            'vehicleroleline',
            `vehicle_id:${vehicle},role_kind:${vehicleroles.OWNER},end_date[null]:1`,
          );
          return lines.length !== 1;
        },
      };
    },
  },
  {
    name: 'an invoice of a seller is entered once',
    prepare: async (scene) => {
      const contact_id = await addBuyer(scene);
      const request = post('order', {
        order_type: ordertypes.VEHICLE_PURCHASE,
        order_date: '2026-05-01',
        contact_id,
        purchase_proof: purchaseproofs.SUPPLIER_INVOICE,
        supplier_invoice_number: '2026-117',
      });
      return {
        requests: [request, request],
        isBroken: async () => (await scene.list('order', `contact_id:${contact_id}`)).length !== 1,
      };
    },
  },
  {
    name: 'a purchase is credited once, and its car has one owner',
    prepare: async (scene) => {
      const purchase = await addPurchase(scene, await addBuyer(scene), purchaseproofs.STATEMENT);
      await scene.change('order', purchase, INVOICE);
      const credit = post('order/credit', { order_id: purchase, is_invoiced: 1 });
      return {
        requests: [credit, credit],
        isBroken: async () => {
          const [order] = await scene.list('order', `id:${purchase}`);
          const credits = await scene.list('order', `credited_order_id:${purchase}`);
          return credits.length !== 1 || (await hasTwoOwners(scene, Number(order?.vehicle_id)));
        },
      };
    },
  },
  ...[purchaseproofs.SELF_BILLED, purchaseproofs.STATEMENT].map((proof) => ({
    name: `numbers of purchases follow one another, by proof ${proof}`,
    prepare: async (scene: Scene) => {
      const seller = await addBuyer(scene, DEALER);
      const [one, other] = [await addPurchase(scene, seller, proof), await addPurchase(scene, seller, proof)];
      return {
        requests: [put('order', one, INVOICE), put('order', other, INVOICE)] as const,
        isBroken: () => isApart(scene, one, other),
      };
    },
  })),
];

/** In euros, VAT included: an order of GROSS has no room for two. */
const DEPOSIT_AMOUNT = 100;
const CANCELLED = { order_status: orderstatuses.CANCELLED };

const DEPOSITS: Rule[] = [
  {
    name: 'deposits never exceed their order, by POST',
    prepare: async (scene) => {
      const order_id = await addOrder(scene, await addBuyer(scene));
      const request = post('order/deposit', { order_id, amount: DEPOSIT_AMOUNT });
      return {
        requests: [request, request],
        isBroken: async () => (await scene.list('order', `deposit_of_order_id:${order_id}`)).length !== 1,
      };
    },
  },
  {
    name: 'deposits never exceed their order, by invoicing',
    prepare: async (scene) => {
      const target = await addOrder(scene, await addBuyer(scene));
      const small = GROSS / 2;
      const deposits = [await addDeposit(scene, target, small), await addDeposit(scene, target, small)];
      for (const id of deposits) {
        const [line] = await scene.list('orderline', `order_id:${id}`);
        await scene.change('orderline', Number(line?.id), { price: DEPOSIT_AMOUNT });
      }
      return {
        requests: [put('order', deposits[0] ?? 0, INVOICE), put('order', deposits[1] ?? 0, INVOICE)],
        isBroken: async () =>
          (await scene.list('order', `deposit_of_order_id:${target},is_invoiced:1`)).length !== 1,
      };
    },
  },
  {
    name: 'a deposit that is an invoice is taken off its order',
    prepare: async (scene) => {
      const target = await addOrder(scene, await addBuyer(scene));
      const deposit = await addDeposit(scene, target, DEPOSIT_AMOUNT);
      return {
        requests: [put('order', deposit, INVOICE), put('order', target, INVOICE)],
        isBroken: async () => {
          const paid = await isInvoice(scene, deposit);
          const [final] = await scene.list('order', `id:${target}`);
          return final?.total_gross !== GROSS - (paid ? DEPOSIT_AMOUNT : 0) || final.is_invoiced !== 1;
        },
      };
    },
  },
  {
    name: 'a cancelled order has no deposit that is an invoice',
    prepare: async (scene) => {
      const target = await addOrder(scene, await addBuyer(scene));
      const deposit = await addDeposit(scene, target, DEPOSIT_AMOUNT);
      return {
        requests: [put('order', deposit, INVOICE), put('order', target, CANCELLED)],
        isBroken: async () => {
          const [found] = await scene.list('order', `id:${target}`);
          const isCancelled = found?.order_status === orderstatuses.CANCELLED;
          return isCancelled === (await isInvoice(scene, deposit));
        },
      };
    },
  },
  {
    name: 'a deposit is credited or taken off its order, never both',
    prepare: async (scene) => {
      const target = await addOrder(scene, await addBuyer(scene));
      const deposit = await addDeposit(scene, target, DEPOSIT_AMOUNT);
      await scene.change('order', deposit, INVOICE);
      const credit = post('order/credit', { order_id: deposit, is_invoiced: 1 });
      return {
        requests: [credit, put('order', target, INVOICE)],
        isBroken: async () => {
          const credits = await scene.list('order', `credited_order_id:${deposit},is_invoiced:1`);
          const [final] = await scene.list('order', `id:${target}`);
          return final?.total_gross !== GROSS - (credits.length === 1 ? 0 : DEPOSIT_AMOUNT);
        },
      };
    },
  },
];

const addDeposit = (scene: Scene, order_id: number, amount: number) =>
  scene.add('order/deposit', { order_id, amount });
const isInvoice = async (scene: Scene, id: number) =>
  (await scene.list('order', `id:${id},is_invoiced:1`)).length === 1;

const SORT_ORDERS: Rule[] = [
  {
    name: 'a sort_order of a flat rate is there once, by PUT',
    prepare: async (scene) => {
      const flatrate_id = await addFlatRate(scene);
      const line = { flatrate_id, description: 'Labour' };
      const lines = [await scene.add('flatrateline', line), await scene.add('flatrateline', line)];
      const toFirst = (id = 0) => put('flatrateline', id, { sort_order: 1 });
      return {
        requests: [toFirst(lines[0]), toFirst(lines[1])],
        isBroken: () => hasTwoFirst(scene, flatrate_id),
      };
    },
  },
  {
    name: 'a sort_order of a flat rate is there once, by POST',
    prepare: async (scene) => {
      const flatrate_id = await addFlatRate(scene);
      const request = post('flatrateline', { flatrate_id, description: 'Labour', sort_order: 1 });
      return { requests: [request, request], isBroken: () => hasTwoFirst(scene, flatrate_id) };
    },
  },
];

const addFlatRate = (scene: Scene) =>
  scene.add('flatrate', { code: crypto.randomUUID().slice(0, 30), name: 'Small service' });
const hasTwoFirst = async (scene: Scene, flatRate: number) =>
  (await scene.list('flatrateline', `flatrate_id:${flatRate},sort_order:1`)).length !== 1;

export const TRADE_RULES: readonly Rule[] = [
  ...OWNERS,
  ...EMAILS,
  ...INVOICES,
  ...PAYMENTS,
  ...DEPOSITS,
  ...STOCK,
  ...SORT_ORDERS,
];
