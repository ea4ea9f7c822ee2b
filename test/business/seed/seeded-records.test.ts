// Checks seeded records against the rules of their resources: seeding makes no record that the service would refuse.
import { expect } from 'chai';
import { isWithinHours } from '../../../src/business/planning/within-hours.ts';
import { checkRules } from '../../../src/core/model/bodies/check.ts';
import { encode } from '../../../src/core/model/fields/encode.ts';
import type { Row } from '../../../src/core/model/fields/field.ts';
import type { Change, Resource, RowIn } from '../../../src/core/model/records/record.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import type { AppointmentRow } from '../../../src/core/resources/appointment.ts';
import type { Order } from '../../../src/core/resources/order.ts';
import { isDeposit } from '../../../src/core/trade/deposit.ts';
import { normaliseIban, normaliseVin } from '../../../src/core/trade/identity/identifiers.ts';
import { normaliseDutchPlate } from '../../../src/core/trade/identity/license-plate.ts';
import { normalisePeppolId } from '../../../src/core/trade/identity/peppol-id.ts';
import { normaliseVatNumber } from '../../../src/core/trade/identity/vat-number.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { select } from '../../support/database/sql.ts';
import { distinct, ownedResources, rowsOf, seededOwner, useDatabase } from './seeded.ts';

const NETHERLANDS = 1;

describe('seeded records', () => {
  const database = useDatabase();
  let owner: number;
  const rows = (resource: string) => rowsOf(database(), owner, resource);
  const byId = async (resource: string): Promise<Map<Row[string], Row>> =>
    new Map((await rows(resource)).map((row) => [row.id ?? null, row]));

  before(async () => {
    owner = await seededOwner(database(), 150);
  });

  it('have values that their fields accept', async () => {
    for (const resource of ownedResources()) {
      for (const row of await rows(resource.name))
        expect(wrongFields(resource, row), row.id?.toString()).to.deep.equal([]);
    }
  });

  it('pass the rules of their resources', async () => {
    for (const resource of ownedResources()) {
      for (const row of (await rows(resource.name)).filter(isOfRequest))
        await checkRules(resource, await asChange(resource, row));
    }
  });

  it('book nobody twice', async () => {
    for (const field of ['employee_id', 'workplace_id']) {
      const ends = new Map<unknown, unknown>();
      for (const row of (await rows('appointment')).sort((a, b) =>
        String(a.starts_at) < String(b.starts_at) ? -1 : 1,
      )) {
        expect(String(row.starts_at) >= String(ends.get(row[field]) ?? '')).to.equal(true);
        ends.set(row[field], row.ends_at);
      }
    }
  });

  it('book nobody outside the hours', async () => {
    const garage = garageOf(database(), owner);
    for (const row of await rows('appointment'))
      expect(await isWithinHours(garage, row as AppointmentRow), row.id?.toString()).to.equal(true);
  });

  it('have flat rates that cost the sum of their lines', async () => {
    const sums = await select(
      database(),
      'SELECT l.flatrate_id, SUM(ROUND(l.quantity * COALESCE(l.price, a.price, 0), 2)) AS total FROM flatratelines l ' +
        'LEFT JOIN articles a ON a.id = l.article_id WHERE l.owner_id = ? GROUP BY l.flatrate_id',
      [owner],
    );

    const totals = new Map(sums.map(({ flatrate_id, total }) => [flatrate_id, Number(total)]));
    for (const { id, total_net } of await rows('flatrate'))
      expect(totals.get(id ?? null)).to.equal(Number(total_net));
  });

  it('have readings of each vehicle that rise, and orders that a lease company pays with an approval that fits', async () => {
    const [vehicles, contacts, orders] = [await byId('vehicle'), await byId('contact'), await byId('order')];
    const last = new Map<Row[string], number>();
    const readings = (await rows('mileagereading')).sort((one, other) =>
      String(one.read_at) < String(other.read_at) ? -1 : 1,
    );
    for (const { vehicle_id = null, reading } of readings) {
      expect(reading).to.be.within(last.get(vehicle_id) ?? 0, Number(vehicles.get(vehicle_id)?.mileage));
      last.set(vehicle_id, Number(reading));
    }

    const approvals = (await rows('leaseapproval')).filter(({ approved_net }) => approved_net !== null);
    expect(approvals).not.to.have.lengthOf(0);
    for (const { order_id = null, contact_id, approved_net } of approvals)
      expect(orders.get(order_id)).to.include({ invoice_contact_id: contact_id, total_net: approved_net });
    const leased = [...orders.values()].filter(
      ({ invoice_contact_id = null, order_type, order_status }) =>
        contacts.get(invoice_contact_id)?.is_lease_company === 1 &&
        order_type === LISTS.ordertypes.WORKSHOP &&
        order_status !== LISTS.orderstatuses.CANCELLED,
    );
    expect(approvals.map(({ order_id }) => order_id)).to.have.members(leased.map(({ id }) => id));
  });

  it('have orders whose hours are those of their entries', async () => {
    const entries = await rows('timeentry');

    for (const { id, hours_worked } of await rows('order')) {
      const own = entries.filter(({ order_id }) => order_id === id);
      const sum = own.reduce((hours, entry) => hours + Number(entry.hours), 0);
      expect(Number(hours_worked)).to.be.closeTo(sum, 1e-9);
    }
    expect(entries).not.to.have.lengthOf(0);
  });

  it('have vehicles with one owner each', async () => {
    const roles = await rows('vehicleroleline');
    const owners = roles.filter(({ role_kind }) => role_kind === LISTS.vehicleroles.OWNER);

    const vehicles = [...(await byId('vehicle')).keys()];
    expect(owners.map(({ vehicle_id }) => vehicle_id)).to.have.members(vehicles);
  });

  it('publish only vehicles that may be published, and mark exactly the sold vehicles as sold', async () => {
    const sites = distinct(await rows('vehicleadvertisementsite'), 'vehicle_id');
    const vehicles = await rows('vehicle');
    const published = vehicles.filter(({ publish_status }) => publish_status === 1);

    expect(published).not.to.have.lengthOf(0);
    for (const { id, tax_kind, sale_price, mileage, fuel_kind, first_registration_date } of published) {
      expect([tax_kind, sale_price, mileage, fuel_kind, first_registration_date]).not.to.include(null);
      expect(sites).to.include(id);
    }
    const sold = vehicles.filter(({ stock_status }) => stock_status === LISTS.stockstatuses.SOLD);
    const sales = (await rows('order')).filter(
      (order) =>
        order.order_type === 2 && order.is_invoiced === 1 && !isDeposit(order as RowIn<typeof Order>),
    );
    expect(sales.map(({ vehicle_id }) => vehicle_id)).to.have.members(sold.map(({ id }) => id));
  });

  it('have plates, VINs, IBANs, VAT numbers and Peppol addresses in their stored form', async () => {
    for (const { license_plate, plate_country_id, vin } of await rows('vehicle')) {
      if (plate_country_id === NETHERLANDS)
        expect(normaliseDutchPlate(String(license_plate))).to.equal(license_plate);
      expect(vin === null || normaliseVin(String(vin)) === vin).to.equal(true);
    }
    for (const { iban, vat_number, peppol_id } of await rows('contact')) {
      if (iban !== null) expect(normaliseIban(String(iban))).to.equal(iban);
      if (peppol_id !== null) expect(normalisePeppolId(String(peppol_id))).to.equal(peppol_id);
      if (vat_number !== null) expect(normaliseVatNumber(String(vat_number))).to.equal(vat_number);
    }
  });

  /** A change that gives every field the value it has. */
  async function asChange(resource: Resource, row: Row): Promise<Change> {
    const parentField = resource.traits.parent ?? '';
    const parent = resource.fields.get(parentField)?.reference;
    return {
      next: row,
      previous: row,
      given: (field) => wireValue(resource, field, row),
      garage: garageOf(database(), owner),
      parent: parent ? (await parentRows(parent)).get(row[parentField] ?? null) : undefined,
    };
  }

  const parents = new Map<string, Promise<Map<Row[string], Row>>>();

  function parentRows(resource: string) {
    const known = parents.get(resource) ?? byId(resource);
    parents.set(resource, known);
    return known;
  }
});

/** Whether a request could make the row. Only the service makes payments that settle a credit note. */
const isOfRequest = ({ method }: Row): boolean => method !== LISTS.paymentmethods.OFFSET;

/** Names of fields whose value a request could not give, or that the service would store in another form. */
function wrongFields(resource: Resource, row: Row): string[] {
  const needed = new Set(resource.traits.requires?.(row));
  return [...resource.fields]
    .filter(([name, field]) => {
      if (field.primary || field.writeOnly || field.readonly) return false;
      const value = wireValue(resource, name, row);
      if (value === null) return field.required || needed.has(name);
      const { stored, violation } = field.check(name, value, row);
      return violation !== undefined || encode(field.kind, stored) !== encode(field.kind, row[name] ?? null);
    })
    .map(([name]) => name);
}

/** The value as the API shows it. */
function wireValue(resource: Resource, name: string, row: Row): unknown {
  return JSON.parse(encode(resource.fields.get(name)?.kind ?? 'text', row[name] ?? null));
}
