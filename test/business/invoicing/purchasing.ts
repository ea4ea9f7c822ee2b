// Purchases of one vehicle, as the tests of purchases make them; `client` and `vehicle` may be known later.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { buildBuyer } from '../../support/build/build.ts';
import { THIS_YEAR } from '../../support/build/day.ts';
import { invoiceIt, purchaseOf } from '../../support/build/order.ts';
import type { Client, Json } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { SUPPLIER_INVOICE, SELF_BILLED } = LISTS.purchaseproofs;
const DEALER = {
  contact_kind: LISTS.contactkinds.COMPANY,
  company_name: 'Autohandel B.V.',
  vat_number: 'NL004495445B01',
  self_billing_agreed_at: '2026-01-01',
};

export function purchasing(client: () => Client, vehicle: () => number) {
  const buy = (order: Json, line: Json = {}) => purchaseOf(client(), vehicle(), order, line);
  const bought = async (order: Json, line: Json = {}) => {
    const answer = await invoiceIt(client(), (await buy(order, line)).id);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  const dealer = async (changes: Json = {}) => (await buildBuyer(client(), { ...DEALER, ...changes })).id;
  const ownInvoice = async (contact_id: number, supplier_invoice_number: string) => ({
    purchase_proof: SUPPLIER_INVOICE,
    contact_id,
    supplier_invoice_number,
  });
  const ofDealer = (contact_id: number) => ({ purchase_proof: SELF_BILLED, contact_id });
  const numbered = (prefix: string, count: number) =>
    `${prefix}${THIS_YEAR}${String(count).padStart(5, '0')}`;
  return { buy, bought, dealer, ownInvoice, ofDealer, numbered };
}
