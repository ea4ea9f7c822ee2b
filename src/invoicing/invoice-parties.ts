// Reads the seller and the buyer that invoices keep, as they were on the day of each invoice.

import type { Row } from '../model/field.ts';
import type { Resource } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { Contact } from '../resources/contact.ts';
import { InvoiceParty } from '../resources/invoice-party.ts';
import { Owner } from '../resources/owner.ts';

export interface InvoiceParties {
  readonly seller: Row;
  readonly buyer: Row;
  /** Plate and VIN of vehicles that were anonymised after the invoice. */
  readonly vehicles: readonly Row[];
}

/** The parties of invoices, by the ID of the order. Throws an Error if one of the orders is not an invoice. */
export async function readInvoiceParties(
  session: Session,
  owner: number,
  orders: readonly number[],
): Promise<Map<number, InvoiceParties>> {
  const rows = await InvoiceParty.of(session, owner).whereIn('order_id', [...orders]);
  const found = new Map(
    rows.map(({ order_id, seller, buyer, vehicles }): [number, InvoiceParties] => [
      Number(order_id),
      {
        seller: JSON.parse(String(seller)),
        buyer: JSON.parse(String(buyer)),
        vehicles: JSON.parse(String(vehicles)),
      },
    ]),
  );
  const bare = orders.find((id) => !found.has(id));
  if (bare !== undefined) throw new Error(`The invoice ${bare} has no seller and buyer`);
  return found;
}

/**
 * The same with addresses on the Peppol network: those of the day of the invoice, else today's. An invoice that is
 * older than the address can be sent too.
 */
export async function readAddressedParties(
  session: Session,
  owner: number,
  orders: readonly number[],
): Promise<Map<number, InvoiceParties>> {
  const parties = await readInvoiceParties(session, owner, orders);
  const all = [...parties.values()];
  const without = (side: 'seller' | 'buyer') =>
    all.flatMap((party) => (isAddressed(party[side]) ? [] : Number(party[side].id)));
  const sellers = await readAddresses(session, Owner.resource, owner, without('seller'));
  const buyers = await readAddresses(session, Contact.resource, owner, without('buyer'));
  const addressed = (party: Row, today: ReadonlyMap<number, string>): Row =>
    isAddressed(party) ? party : { ...party, peppol_id: today.get(Number(party.id)) ?? null };
  return new Map(
    [...parties].map(([order, { seller, buyer, vehicles }]) => [
      order,
      { seller: addressed(seller, sellers), buyer: addressed(buyer, buyers), vehicles },
    ]),
  );
}

const isAddressed = ({ peppol_id = null }: Row): boolean => String(peppol_id ?? '').trim() !== '';

/** Today's addresses by the ID of the record. */
async function readAddresses(
  session: Session,
  { model }: Resource,
  owner: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await model
    .of(session, owner)
    .select('id', 'peppol_id')
    .whereIn('id', [...new Set(ids)])
    .whereNotNull('peppol_id');
  return new Map(rows.map(({ id, peppol_id }) => [Number(id), String(peppol_id)]));
}
