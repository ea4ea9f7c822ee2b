// One line of an order.
import { choice, int4, money, quantity, reference, varchar } from '../model/fields/field.ts';
import { type ChangeOf, type RowIn, record } from '../model/records/record.ts';

export class OrderLine extends record(
  'orderline',
  {
    order_id: reference('order', { required: true, fixed: true }),
    sort_order: int4({ unique: 'order_id' }),
    line_kind: choice('linekinds', { required: true, indexed: true }),
    article_id: reference('article'),
    article_number: varchar(40, { indexed: true, personal: false }),
    // Lines describe goods and work: their texts stay with the invoice.
    description: varchar(255, { required: true, personal: false }),
    quantity: quantity({ required: true }),
    unit_type: choice('unittypes'),
    price: quantity({
      required: true,
      description:
        'A piece: net, or with VAT where the order says so; of a margin line what the buyer pays, all in',
    }),
    discount_percentage: quantity({ min: 0, max: 100 }),
    vat_code: choice('vatcodes', { required: true }),
    vat_percentage: quantity({
      readonly: true,
      description:
        'The rate of vat_code on the supply_date of the order, otherwise today. A credit note has the rates of its ' +
        'invoice, and a line that takes off a deposit that of the deposit',
    }),
    turnover_group_id: reference('turnovergroup'),
    vehicle_id: reference('vehicle', {
      description: 'The vehicle that is sold or bought; of a TRADE_IN line the one that comes into stock',
    }),
    employee_id: reference('employee'),
    purchase_price: quantity({
      min: 0,
      internal: true,
      description:
        'A piece; of a VEHICLE line of a sale what the vehicle cost, under MARGIN with its bpm_paid, where the request has none',
    }),
    bpm_paid: money({
      readonly: true,
      history: true,
      internal: true,
      indexed: true,
      description:
        'A piece, of a car sold under MARGIN: the BPM within purchase_price, as the invoice found it',
    }),
    line_net: money({ readonly: true }),
    line_vat: money({ readonly: true }),
    line_gross: money({ readonly: true, history: true, description: 'Net and VAT' }),
    credited_line_id: reference('orderline', {
      readonly: true,
      description:
        'The line of an earlier invoice that this line takes back: on a credit note that the service made, and on the ' +
        'invoice of an order with deposits',
    }),
    margin_vat: money({
      readonly: true,
      history: true,
      internal: true,
      // A line that is not under the margin scheme has none.
      same: (given, { margin_vat }) => given === margin_vat || (margin_vat === null && Number(given) === 0),
      description: 'VAT within the margin, for the books of the dealer only',
    }),
  },
  {
    description: 'A line of an order',
    parent: 'order_id',
    about: {
      through: ['order_id'],
      anonymised: 'kept',
      isPrinted: true,
      title: { nl: 'Regels van orders', en: 'Lines of orders' },
    },
    personalKey: false,
    // The VAT return reads the lines of rare codes, from the first invoice on.
    // The books sum lines by kind and code without reading the rows.
    indexes: [['line_kind', 'vat_code', 'order_id', 'vehicle_id', 'line_net']],
  },
) {}

export type OrderLineRow = RowIn<typeof OrderLine>;
export type OrderLineChange = ChangeOf<typeof OrderLine>;
