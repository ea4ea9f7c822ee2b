// What an order, its payer and its lines lack to become an invoice.
import { about, type Violation, violation } from '../../errors.ts';
import { isEuVatNumber } from '../identity/vat-number.ts';
import { MOST_PAYMENT_DAYS } from '../invoice-number.ts';
import { isGiven } from '../kinds/approval-status.ts';
import { isPurchase } from '../kinds/purchase.ts';
import type { Proof } from '../kinds/purchase-proof.ts';
import { LISTS, rowOf } from '../lists.ts';
import { cents } from '../totals.ts';
import { vatRow } from '../vat-code.ts';
import type { CaseLine, CaseOrder } from './line.ts';
import { sells } from './stock.ts';

const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
const { MARGIN } = LISTS.vatcodes;
const ADDRESS = ['street', 'huisnummer', 'postcode', 'city'] as const;
const NAMES = ['company_name', 'last_name'] as const;

interface Payer extends Readonly<Record<(typeof ADDRESS | typeof NAMES)[number], string | number | null>> {
  readonly id: number;
  readonly contact_kind: number | null;
  readonly country_id: number;
  readonly vat_number: string | null;
  readonly self_billing_agreed_at: string | null;
}

type Line = Pick<CaseLine, 'id' | 'vat_code' | 'gross'>;

export const missingLines = (lines: readonly unknown[]): Violation[] =>
  lines.length > 0 ? [] : [violation('array_empty', { field: 'orderline' })];

export function missingAddress(buyer: Payer): Violation[] {
  const name = buyer.contact_kind === LISTS.contactkinds.COMPANY ? 'company_name' : 'last_name';
  const isNameless = emptyOf(buyer, NAMES).length === NAMES.length;
  return [...(isNameless ? emptyOf(buyer, [name]) : []), ...emptyOf(buyer, ADDRESS)];
}

export const missingVehicle = (
  order: Pick<CaseOrder, 'order_type' | 'vehicle_id' | 'deposit_of_order_id'>,
): Violation[] =>
  sells(order) && order.vehicle_id === null ? [violation('field_empty', { field: 'vehicle_id' })] : [];

/** A due date can't lie before the invoice date, and the database can't store one too far away. */
export function unusableDays(days: number): Violation[] {
  if (days >= 0 && days <= MOST_PAYMENT_DAYS) return [];
  const validation = `0..${MOST_PAYMENT_DAYS}`;
  return [violation('value_invalid', { field: 'payment_days', value: days, validation })];
}

const emptyOf = <F extends string>(row: Readonly<Record<F, unknown>>, fields: readonly F[]): Violation[] =>
  fields
    .filter((field) => String(row[field] ?? '').trim() === '')
    .map((field) => violation('field_empty', { field }));

interface Purchase extends Pick<CaseOrder, 'order_type'> {
  readonly purchase_proof: number | null;
  readonly supplier_invoice_number: string | null;
}

/**
 * Finds fields that a purchase lacks. The garage buys from the contact, and the law asks for proof of each purchase.
 * The seller is the other party.
 */
export function unfitPurchase(order: Purchase, seller: Payer, lines: readonly Line[]): Violation[] {
  if (!isPurchase(order.order_type)) return [];
  const { purchase_proof: proof } = order;
  if (proof === null) return emptyOf(order, ['purchase_proof']);
  return rowOf('purchaseproofs', UNFIT_PURCHASE, proof)(order, seller, lines);
}

const UNFIT_PURCHASE: Readonly<
  Record<Proof, (order: Purchase, seller: Payer, lines: readonly Line[]) => Violation[]>
> = {
  [SUPPLIER_INVOICE]: (order) => emptyOf(order, ['supplier_invoice_number']),
  [SELF_BILLED]: (_, seller) =>
    about('contact', seller.id, emptyOf(seller, ['vat_number', 'self_billing_agreed_at'])),
  [STATEMENT]: (_, seller, lines) => [...notPrivate(seller), ...notUnderMargin(lines)],
};

/** A statement needs a private seller: a company makes out an invoice. */
const notPrivate = ({ contact_kind }: Payer): Violation[] =>
  contact_kind === LISTS.contactkinds.PERSON
    ? []
    : [
        violation('value_invalid', {
          field: 'purchase_proof',
          value: STATEMENT,
          validation: 'private seller',
        }),
      ];

/**
 * A private person sells without VAT, so the car can only be sold on under the margin scheme. A line of 0, such as a
 * remark, bears no VAT.
 */
const notUnderMargin = (lines: readonly Line[]): Violation[] =>
  lines
    .filter(({ vat_code, gross }) => vat_code !== MARGIN && gross !== 0n)
    .flatMap(({ id, vat_code }) =>
      about('orderline', id, [
        violation('value_invalid', { field: 'vat_code', value: vat_code, validation: 'margin purchase' }),
      ]),
    );

/**
 * Whether a line has a VAT code without VAT that the countries of seller and payer decide about. A credit note has the
 * VAT codes of its invoice, which was judged: its payer may have moved since.
 */
export const needsCountries = (
  order: Pick<CaseOrder, 'order_type'>,
  lines: readonly Line[],
  credited: Pick<CaseOrder, 'order_type'> | undefined,
): boolean =>
  credited === undefined &&
  !isPurchase(order.order_type) &&
  requirementsOf(lines).some(({ vatNumber, country }) => vatNumber !== 'none' || country !== 'any');

/** What the VAT codes of the lines require of the payer: once for each code. */
const requirementsOf = (lines: readonly Pick<Line, 'vat_code'>[]) =>
  [...new Set(lines.map(({ vat_code }) => vat_code))].map((code) => ({ code, ...vatRow(code).requires }));

/** The countries by ID. */
type Countries = ReadonlyMap<number, { readonly code: string; readonly is_eu: number | null }>;

/**
 * Finds fields that the payer lacks for the VAT codes without VAT: the reverse charge and supplies to other countries.
 * A purchase has the VAT codes of the seller: it is not judged.
 */
export function unfitVatCodes(
  lines: readonly Line[],
  { seller, buyer }: { readonly seller: Pick<Payer, 'country_id'>; readonly buyer: Payer },
  countries: Countries,
): Violation[] {
  const required = requirementsOf(lines);
  const number = buyer.vat_number?.trim() ?? '';
  const wrong = (field: string, value: unknown, validation: string) =>
    violation('value_invalid', { field, value, validation });
  const found: Violation[] = [];
  if (number === '' && required.some(({ vatNumber }) => vatNumber !== 'none'))
    found.push(violation('field_empty', { field: 'vat_number' }));
  else if (
    required.some(({ vatNumber }) => vatNumber === 'of another EU country') &&
    !isEuVatNumber(number, countries.get(seller.country_id)?.code ?? '')
  )
    found.push(wrong('vat_number', number, 'VAT number of another EU country'));
  const isInside = countries.get(buyer.country_id)?.is_eu === 1;
  const misplaced = required.filter(({ country }) => country === 'outside the EU' && isInside);
  return [
    ...about('contact', buyer.id, found),
    ...misplaced.map(({ code }) => wrong('vat_code', code, 'country outside the EU')),
  ];
}

interface Approval {
  readonly contact_id: number;
  readonly approval_status: number | null;
  readonly approved_net: string | null;
  readonly approval_number: string | null;
  readonly valid_until: string | null;
}

/** Whether the order may be invoiced, and the number of the approval that the invoice bears. */
interface Judgement {
  readonly refused: readonly Violation[];
  readonly number: string | null;
}

/**
 * A lease company pays what it has approved. `approvals`: those that are not withdrawn, sorted by ID; an order without
 * one is invoiced like any other. If several approvals fit, the latest counts. `now` is in the form of the database.
 */
export function judgeApproval(
  approvals: readonly Approval[],
  { total_net, payer, now }: { readonly total_net: string; readonly payer: number; readonly now: string },
): Judgement {
  const fitting = approvals.findLast(
    ({ contact_id, approval_status, approved_net, valid_until }) =>
      contact_id === payer &&
      approval_status !== null &&
      isGiven(approval_status) &&
      approved_net !== null &&
      cents(approved_net) === cents(total_net) &&
      (valid_until === null || valid_until > now),
  );
  if (fitting) return { refused: [], number: fitting.approval_number };
  if (approvals.length === 0) return { refused: [], number: null };
  const value = Number(total_net);
  return {
    refused: [violation('value_invalid', { field: 'total_net', value, validation: 'lease approval' })],
    number: null,
  };
}
