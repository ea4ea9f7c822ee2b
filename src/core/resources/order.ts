// An order is work or a sale agreed with a contact. Once invoiced it never changes again.
import {
  choice,
  flag,
  int4,
  money,
  quantity,
  reference,
  text,
  timestamp,
  varchar,
} from '../model/fields/field.ts';
import { type ChangeOf, type RowIn, record } from '../model/records/record.ts';
import { frozenState } from '../trade/kinds/order-status.ts';
import { LISTS } from '../trade/lists.ts';

const { ORDER, CANCELLED } = LISTS.orderstatuses;
const ZERO = '0.00';
const NO_HOURS = '0.0000';

export class Order extends record(
  'order',
  {
    order_number: int4({
      readonly: true,
      counted: true,
      history: true,
      unique: 'owner',
      description: 'Counts up per owner from 1',
    }),
    order_type: choice('ordertypes', { required: true, indexed: true, fixed: true }),
    order_status: choice('orderstatuses', {
      indexed: true,
      fallback: ORDER,
      description:
        'INVOICE: the order never changes again, and the stock follows: a sale makes its vehicles SOLD, a purchase or a ' +
        'trade-in makes them STOCK',
    }),
    is_invoiced: flag({ indexed: true, readonly: true, description: '1: the order is an invoice' }),
    order_date: timestamp({ required: true, indexed: true }),
    contact_id: reference('contact', { required: true }),
    invoice_contact_id: reference('contact', {
      description: 'The payer, if it is not the contact',
    }),
    vehicle_id: reference('vehicle'),
    employee_id: reference('employee'),
    mileage: int4({ min: 0, description: 'Kilometres' }),
    is_mileage_confirmed: flag({
      writeOnly: true,
      ofRequest: true,
      description: '1: the mileage is right, although it is below the last reading of the vehicle',
    }),
    appointment_at: timestamp(),
    planned_out_at: timestamp({ after: 'appointment_at' }),
    reference: varchar(60, { indexed: true, printed: true, personal: true }),
    buyer_reference: varchar(60, {
      printed: true,
      personal: true,
      description: 'Where the buyer books the invoice, such as a cost centre; an e-invoice names it',
    }),
    description: text({ printed: true, personal: true }),
    remarks_internal: text({ personal: true }),
    purchase_proof: choice('purchaseproofs', {
      description: 'VEHICLE_PURCHASE: the proof of the purchase. Required for its invoice',
    }),
    supplier_invoice_number: varchar(40, {
      printed: true,
      personal: false,
      description:
        'VEHICLE_PURCHASE: the number of the invoice of the seller. Once for each contact, but for purchases that were ' +
        'cancelled or credited',
    }),
    supplier_invoice_date: timestamp({
      description:
        'VEHICLE_PURCHASE: the date of the invoice of the seller, not after today. It decides due_date and book_date. If ' +
        'empty: the day of the move to INVOICE',
    }),
    invoice_number: varchar(30, {
      readonly: true,
      history: true,
      unique: 'owner',
      personal: false,
      description:
        'Without a gap in its series: sales, self-billed purchases of each seller, statements of private sellers. Null if ' +
        'the seller made out the invoice',
    }),
    invoice_date: timestamp({ indexed: true, readonly: true, history: true }),
    book_date: timestamp({
      indexed: true,
      readonly: true,
      description:
        'The day that counts for journal, VAT return, ICP and debtors: invoice_date, or supplier_invoice_date of a purchase ' +
        'by the invoice of the seller',
    }),
    supply_date: timestamp({
      description:
        'When the goods or the work were supplied: the rates of VAT are those of this day. If empty, the rates are those ' +
        'of today, and at invoicing it becomes the invoice date',
    }),
    due_date: timestamp({ indexed: true, readonly: true }),
    valid_until: timestamp({
      description: 'The last day of a quotation. If empty: 30 days after order_date',
    }),
    is_vat_included: flag({
      description: '1: prices of lines include VAT. Fixed once the order has a line',
    }),
    credited_order_id: reference('order', {
      fixed: true,
      description: 'The invoice that this credit note takes back',
    }),
    deposit_of_order_id: reference('order', {
      fixed: true,
      description: 'The order that this deposit is paid for',
    }),
    total_net: money({ readonly: true, fallback: ZERO }),
    total_vat: money({ readonly: true, fallback: ZERO }),
    total_gross: money({ readonly: true, fallback: ZERO }),
    amount_open: money({
      readonly: true,
      indexed: true,
      description: 'total_gross less the payments; null until the order is an invoice',
    }),
    hours_worked: quantity({
      readonly: true,
      fallback: NO_HOURS,
      description: 'The sum of the time entries that have ended',
    }),
    reminded_at: timestamp({ readonly: true, description: 'When the last reminder was made' }),
    reminder_count: int4({ readonly: true, fallback: 0, description: 'How many reminders were made' }),
  },
  {
    description: 'Work or a sale agreed with a contact; an invoice once its status is INVOICE',
    about: {
      contact: 'contact_id',
      payer: 'invoice_contact_id',
      anonymised: 'emptied',
      title: { nl: 'Orders en facturen', en: 'Orders and invoices' },
    },
    // The key of an order is its number elsewhere.
    personalKey: false,
    folded: {
      own: ['order_number', 'invoice_number', 'supplier_invoice_number', 'reference', 'buyer_reference'],
    },
    search: {
      also: ['contact', 'invoice_contact', 'vehicle'],
      title: ({ order_number }) => String(order_number),
      subtitle: 'contact',
    },
    hidden: ['net_high', 'net_low', 'vat_high', 'vat_low'],
    // The orders of one type or one status, newest first: planners and web shops ask for them all the time.
    indexes: [
      ['order_type', 'order_date'],
      ['order_status', 'order_date'],
      // Invoices of the books, and those that lack a book_date: see book-date.ts.
      ['is_invoiced', 'book_date'],
      // Whether the contact has sent an invoice of that number.
      ['supplier_invoice_number', 'contact_id'],
    ],
    frozen: ({ order_status }) => frozenState(order_status),
    thaws: ({ order_status }, body) => order_status === CANCELLED && body.order_status === ORDER,
  },
) {}

export type OrderRow = RowIn<typeof Order>;
export type OrderChange = ChangeOf<typeof Order>;

declare module '../model/records/record.ts' {
  interface ParentRows {
    order: OrderRow;
  }
}
