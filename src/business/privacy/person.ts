// Finds the records about a contact, resource by resource, as the resources declare it (Traits.about).

import type { Row, Stored } from '../../core/model/fields/field.ts';
import { type About, aboutOf, hasPersonalFields } from '../../core/model/records/about.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { inOrderOfReference, resourceNamed } from '../../core/model/records/registry.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { isLogged } from '../../core/model/writes/change-log.ts';
import { Contact } from '../../core/resources/contact.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import { anonymous } from './personal-fields.ts';
import { linkedVehicles, ownVehicles } from './vehicle-holder.ts';
import { type Condition, type Lock, rowsWith, wholeColumns, wholeRows } from './whole-row.ts';

/**
 * The resources with records about a contact, except the contact itself. Each comes after the resources that it refers
 * to.
 */
export const resourcesAbout = (): Resource[] =>
  inOrderOfReference().filter((resource) => resource !== Contact.resource && aboutOf(resource));

/** The same without resources that hold no personal data, such as the lines of orders. */
export const personalResources = (): Resource[] => resourcesAbout().filter(hasPersonalFields);

/** The contact that a record names; null: none. */
export type Named = Stored;

/** Which records count of the resource that a reference leads to. */
type Scope = 'own' | 'printed';

/**
 * The records about one contact. Each resource is read once, so it stays as it was first found. Records that are shown
 * are kept whole. Of locked records only the columns are kept that say whom they are about, and `whole` reads the rest.
 */
export class Person {
  readonly garage: Garage;
  readonly contact: number;
  private readonly lock: Lock;
  private readonly found = new Map<string, Promise<Row[]>>();

  /** `lock`: the person's own records, until the transaction ends. */
  constructor(garage: Garage, contact: number, lock: Lock = 'unlocked') {
    this.garage = garage;
    this.contact = contact;
    this.lock = lock;
  }

  /** The records that are about the person: anonymising reaches these. */
  own(resource: Resource): Promise<Row[]> {
    return this.once('own', resource);
  }

  /** The same records as they are now, whole and few at a time. */
  async *whole<R extends Row>(resource: Resource<R>): AsyncGenerator<R[]> {
    yield* wholeRows(this.garage, resource, idsOf(await this.own(resource)));
  }

  /** The person's own records, and records that the person sees only as an invoice prints them. */
  async shown(resource: Resource): Promise<Row[]> {
    const printed = await this.once('printed', resource);
    const rows = [...(await this.own(resource)), ...printed.map((row) => anonymous(resource, row, 'kept'))];
    return rows.sort((one, other) => Number(one.id) - Number(other.id));
  }

  /**
   * The person's own records, of the resources whose records don't always name the person themselves: by ID the contact
   * that the record names, who may be another one.
   */
  async unnamed(): Promise<Map<Resource, ReadonlyMap<number, Named>>> {
    const found = new Map<Resource, ReadonlyMap<number, Named>>();
    for (const resource of personalResources()) {
      const { contact = '', through = [] } = aboutOf(resource) ?? {};
      const namesPerson = resource.fields.has(contact) && through.length === 0;
      if (!isLogged(resource) || namesPerson) continue;
      const rows = await this.own(resource);
      found.set(resource, new Map(rows.map((row) => [Number(row.id), row[contact] ?? null])));
    }
    return found;
  }

  /** The vehicles of the records in `unnamed`, by resource and ID (`document 7`). Only shown records have them. */
  async vehicles(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const [resource] of await this.unnamed())
      for (const { id, vehicle_id } of await this.own(resource))
        if (vehicle_id) found.set(`${resource.name} ${id}`, Number(vehicle_id));
    return found;
  }

  private once(scope: Scope, resource: Resource): Promise<Row[]> {
    const key = `${scope} ${resource.name}`;
    const known =
      this.found.get(key) ?? (scope === 'own' ? this.readOwn(resource) : this.readPrinted(resource));
    this.found.set(key, known);
    return known;
  }

  private async readOwn(resource: Resource): Promise<Row[]> {
    const { garage, contact, lock } = this;
    const about = aboutOf(resource);
    if (!about) return [];
    const columns = this.columnsOf(resource, about);
    if (about.byRole) return ownVehicles(garage, contact, { columns, lock });
    const column = about.contact ?? '';
    const conditions: Condition[] = resource.fields.has(column) ? [{ [column]: contact }] : [];
    const namesPayer = isOfPayer(resource, about);
    const through = new Map<string, ReadonlySet<number>>();
    for (const field of about.through ?? []) {
      const own = await this.idsBehind(resource, field, 'own');
      const ids = namesPayer ? [...own, ...(await this.idsBehind(resource, field, 'printed'))] : own;
      through.set(field, new Set(ids));
      conditions.push({ [field]: ids });
    }
    const rows = await rowsWith(garage, resource, { columns, conditions, lock });
    return rows.filter((row) =>
      namesPayer
        ? payerOf(resource, about, row) === contact
        : leadsTo(contact, resource, about, row, through),
    );
  }

  /** Records of others that the person sees only as an invoice prints them. */
  private async readPrinted(resource: Resource): Promise<Row[]> {
    const { garage, contact } = this;
    const about = aboutOf(resource);
    if (!about) return [];
    const { byRole, payer, isPrinted, through = [] } = about;
    const conditions: Condition[] = [];
    if (byRole) conditions.push({ id: await linkedVehicles(garage, contact) });
    if (payer !== undefined) conditions.push({ [payer]: contact });
    for (const field of isPrinted ? through : [])
      conditions.push({ [field]: await this.idsBehind(resource, field, 'printed') });
    const own = new Set(idsOf(await this.own(resource)));
    const rows = await rowsWith(garage, resource, { columns: this.columnsOf(resource, about), conditions });
    return rows.filter(({ id }) => !own.has(Number(id)));
  }

  private columnsOf(resource: Resource, about: About): readonly string[] {
    return this.lock === 'locked' ? leadingColumns(resource, about) : wholeColumns(resource);
  }

  /** The IDs of the records that a reference may lead to. */
  private async idsBehind({ fields }: Resource, field: string, scope: Scope): Promise<number[]> {
    const target = fields.get(field)?.reference;
    return target === undefined ? [] : idsOf(await this.once(scope, resourceNamed(target)));
  }
}

const idsOf = (rows: readonly Row[]): number[] => rows.map(({ id }) => Number(id));

/** Whether a record names the one person whom an invoice went to: by a hidden column, or by a copy of the contact. */
export const isOfPayer = (resource: Resource, about: About): boolean =>
  about.contact === undefined ? copyOfContact(resource) !== undefined : isHidden(resource, about.contact);

/** The columns that say whom a record is about. */
const leadingColumns = (resource: Resource, { contact, through = [] }: About): readonly string[] => [
  ...new Set(['id', contact, ...through, copyOfContact(resource)].filter((column) => column !== undefined)),
];

const isHidden = ({ traits }: Resource, column: string): boolean => traits.hidden?.includes(column) === true;

const copyOfContact = ({ fields }: Resource): string | undefined =>
  [...fields].find(([, { copyOf }]) => copyOf === Contact.resource.name)?.[0];

function payerOf(resource: Resource, { contact }: About, row: Row): unknown {
  if (contact !== undefined) return row[contact];
  const copy = JSON.parse(String(row[copyOfContact(resource) ?? ''])) as Row;
  return copy.id;
}

/** Whether one of its references leads to a record about the contact. */
function leadsTo(
  contact: number,
  { fields }: Resource,
  about: About,
  row: Row,
  through: ReadonlyMap<string, ReadonlySet<number>>,
): boolean {
  const named = about.contact === undefined ? null : row[about.contact];
  if (named === contact) return true;
  if (about.contactDecides && named !== null) return false;
  const ways = [...(about.contact === undefined ? [] : [about.contact]), ...through.keys()];
  return [...through].some(([field, ids]) => {
    if (!ids.has(Number(row[field]))) return false;
    // A vehicle changes hands, so it counts only if nothing else says whom the record is about.
    const isVehicle = fields.get(field)?.reference === Vehicle.resource.name;
    return !isVehicle || ways.every((way) => way === field || row[way] === null);
  });
}
