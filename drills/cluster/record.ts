// Records that the scenes need: contacts, vehicles, orders with a line of € 100.
import { LISTS } from '../../src/core/trade/lists.ts';
import type { Json } from '../../test/support/client/client.ts';
import type { Scene } from './scene.ts';

const { contactkinds, vehiclekinds, stockstatuses, ordertypes, orderstatuses, linekinds, vatcodes } = LISTS;
const GERMANY = 2;

export const ORDER_LINE = {
  line_kind: linekinds.ARTICLE,
  description: 'Brake pads',
  quantity: 1,
  price: 100,
  vat_code: vatcodes.HIGH,
};

/** A contact that can be invoiced. */
export const addBuyer = (scene: Scene, more: Json = {}): Promise<number> =>
  scene.add('contact', {
    contact_kind: contactkinds.PERSON,
    last_name: 'de Boer',
    street: 'Lindelaan',
    huisnummer: 7,
    postcode: '3581 KL',
    city: 'Utrecht',
    country_id: 1,
    ...more,
  });

let plates = 0;

export function addVehicle(scene: Scene, more: Json = {}): Promise<number> {
  plates += 1;
  return scene.add('vehicle', {
    license_plate: `P-${plates}`,
    // Foreign plates may have any form.
    plate_country_id: GERMANY,
    vehicle_kind: vehiclekinds.CAR,
    stock_status: stockstatuses.CUSTOMER,
    make: 'Volvo',
    model: 'V60',
    ...more,
  });
}

/** An order with one line of € 100 net. */
export async function addOrder(scene: Scene, contact_id: number): Promise<number> {
  const order_id = await scene.add('order', {
    order_type: ordertypes.WORKSHOP,
    contact_id,
    order_date: '2026-05-01',
  });
  await scene.add('orderline', { ...ORDER_LINE, order_id });
  return order_id;
}

/** An invoice of € 100 net. */
export async function addInvoice(scene: Scene, contact_id: number): Promise<number> {
  const id = await addOrder(scene, contact_id);
  await scene.change('order', id, { order_status: orderstatuses.INVOICE });
  return id;
}

/** A credit note for all of an invoice, not yet invoiced itself. */
export async function addCreditNote(scene: Scene, contact_id: number, invoice: number): Promise<number> {
  const order_id = await scene.add('order', {
    order_type: ordertypes.INTERNAL_REVERSAL,
    contact_id,
    order_date: '2026-05-01',
    credited_order_id: invoice,
  });
  await scene.add('orderline', { ...ORDER_LINE, order_id, quantity: -1 });
  return order_id;
}

/** An order that sells a car, not yet an invoice. */
export async function addSale(scene: Scene, vehicle_id: number): Promise<number> {
  const contact_id = await addBuyer(scene);
  const sale = { order_type: ordertypes.VEHICLE_SALES, contact_id, vehicle_id, order_date: '2026-05-01' };
  const order_id = await scene.add('order', sale);
  await scene.add('orderline', { ...ORDER_LINE, order_id, line_kind: linekinds.VEHICLE });
  return order_id;
}

/** An order that buys a car under the margin scheme, not yet an invoice. */
export async function addPurchase(scene: Scene, contact_id: number, purchase_proof: number): Promise<number> {
  const order_id = await scene.add('order', {
    order_type: ordertypes.VEHICLE_PURCHASE,
    purchase_proof,
    contact_id,
    vehicle_id: await addVehicle(scene),
    order_date: '2026-05-01',
  });
  const car = { ...ORDER_LINE, order_id, line_kind: linekinds.VEHICLE, vat_code: vatcodes.MARGIN };
  await scene.add('orderline', car);
  return order_id;
}
