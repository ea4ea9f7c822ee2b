// The enumerations of the trade, by the names that the list endpoint serves. The database stores the integers.
// This file is their only source: types, validation, messages and the list endpoint read it.

export const LISTS = {
  ordertypes: { WORKSHOP: 1, VEHICLE_SALES: 2, VEHICLE_PURCHASE: 3, INTERNAL_REVERSAL: 4, BPM: 5 },
  orderstatuses: {
    QUOTATION: 1,
    ORDER: 2,
    PLANNED: 3,
    IN_PROGRESS: 4,
    WAITING: 5,
    READY: 6,
    INVOICE: 7,
    CANCELLED: 8,
  },
  communicationtypes: { PHONE: 1, MOBILE: 2, FAX: 3, EMAIL: 4, WEBSITE: 5 },
  contactkinds: { PERSON: 1, COMPANY: 2 },
  rolekinds: { ADMIN: 1, USER: 2, READONLY: 3 },
  functionkinds: { MECHANIC: 1, ADVISOR: 2, SALES: 3, PARTS: 4, ADMINISTRATION: 5, MANAGER: 6 },
  vehiclekinds: { CAR: 1, VAN: 2, MOTORCYCLE: 3, MOPED: 4, TRUCK: 5, TRAILER: 6, CAMPER: 7, OTHER: 9 },
  fuelkinds: {
    PETROL: 1,
    DIESEL: 2,
    ELECTRIC: 3,
    HYBRID: 4,
    PLUGIN_HYBRID: 5,
    LPG: 6,
    CNG: 7,
    HYDROGEN: 8,
    OTHER: 9,
  },
  transmissionkinds: { MANUAL: 1, AUTOMATIC: 2 },
  stockstatuses: {
    CUSTOMER: 1,
    STOCK: 2,
    EXPECTED: 3,
    DEMO: 4,
    SOLD: 5,
    DELIVERED: 6,
    EXPORTED: 7,
    SCRAPPED: 8,
  },
  taxkinds: { VAT: 1, MARGIN: 2 },
  publishstatuses: { NOT_PUBLISHED: 0, PUBLISHED: 1 },
  vehicleroles: { OWNER: 1, DRIVER: 2, LEASE_COMPANY: 3, CONTRACT_HOLDER: 4, INVOICE_PAYER: 5 },
  advertisementsites: {
    OWN_WEBSITE: 1,
    MARKTPLAATS: 2,
    AUTOTRACK: 3,
    AUTOSCOUT24: 4,
    GASPEDAAL: 5,
    VIABOVAG: 6,
  },
  articlekinds: { PART: 1, LABOUR: 2, FLUID: 3, TYRE: 4, EXTERNAL: 5, SURCHARGE: 6, OTHER: 9 },
  unittypes: { PIECE: 1, HOUR: 2, LITRE: 3, SET: 4, METRE: 5, KILOGRAM: 6 },
  linekinds: {
    ARTICLE: 1,
    LABOUR: 2,
    VEHICLE: 3,
    TRADE_IN: 4,
    BPM: 5,
    FEE: 6,
    DEPOSIT: 7,
    TEXT: 8,
  },
  vatcodes: {
    HIGH: 1,
    LOW: 2,
    ZERO: 3,
    EXEMPT: 4,
    REVERSE_CHARGE: 5,
    MARGIN: 6,
    OUTSIDE: 7,
    INTRA_COMMUNITY: 8,
    EXPORT: 9,
  },
  documentkinds: {
    INVOICE: 1,
    CREDIT_NOTE: 2,
    QUOTATION: 3,
    ORDER_CONFIRMATION: 4,
    WORK_ORDER: 5,
    PURCHASE_STATEMENT: 6,
    PHOTO: 7,
    REGISTRATION: 8,
    OTHER: 9,
    E_INVOICE: 10,
    REMINDER: 11,
  },
  documenttypes: {
    INVOICE: 1,
    CREDIT_NOTE: 2,
    QUOTATION: 3,
    ORDER_CONFIRMATION: 4,
    WORK_ORDER: 5,
    UBL: 6,
    PURCHASE_STATEMENT: 7,
    REMINDER: 8,
  },
  marginmethods: { INDIVIDUAL: 1, GLOBAL: 2 },
  vatperiods: { MONTH: 1, QUARTER: 2, YEAR: 3 },
  purchaseproofs: { SUPPLIER_INVOICE: 1, SELF_BILLED: 2, STATEMENT: 3 },
  reportstatuses: { DUE: 1, SENT: 2, ACCEPTED: 3, WARNING: 4, NOT_NEEDED: 5 },
  tyreseasons: { SUMMER: 1, WINTER: 2, ALL_SEASON: 3 },
  tyresetstatuses: { STORED: 1, MOUNTED: 2, RETURNED: 3, SCRAPPED: 4 },
  tyrepositions: { FRONT_LEFT: 1, FRONT_RIGHT: 2, REAR_LEFT: 3, REAR_RIGHT: 4, SPARE: 5 },
  approvalstatuses: { DRAFT: 1, SENT: 2, APPROVED: 3, PARTLY: 4, REJECTED: 5, WITHDRAWN: 6 },
  paymentmethods: { CASH: 1, PIN: 2, BANK: 3, IDEAL: 4, OFFSET: 6, OTHER: 9 },
  workplacekinds: { LIFT: 1, FLOOR: 2, MOT: 3, ALIGNMENT: 4, WASH: 5, OUTSIDE: 6 },
  appointmentstatuses: { PLANNED: 1, ARRIVED: 2, STARTED: 3, DONE: 4, CANCELLED: 5, NO_SHOW: 6 },
  jobstatuses: { QUEUED: 1, RUNNING: 2, DONE: 3, FAILED: 4, CANCELLED: 5, EXPIRED: 6 },
  changeactions: { CREATED: 1, UPDATED: 2, DELETED: 3 },
  modules: { WORKSHOP: 1, VEHICLE_SALES: 2, VEHICLE_PURCHASE: 3, DOCUMENTS: 4, BACKUP: 5 },
} as const satisfies Record<string, Record<string, number>>;

export type ListName = keyof typeof LISTS;
export type ListValue<L extends ListName> = (typeof LISTS)[L][keyof (typeof LISTS)[L]];

// Maps, because every field of every record looks up its value here.
const NAMES = new Map<ListName, ReadonlyMap<number, string>>(
  Object.entries(LISTS).map(([list, values]) => [
    list as ListName,
    new Map(Object.entries(values).map(([name, value]) => [value, name])),
  ]),
);

/** Whether there is a list of this name. Inherited names such as `constructor` are not lists. */
export function isListName(text: string): text is ListName {
  return Object.hasOwn(LISTS, text);
}

/** Whether the list contains this integer. */
export function has(list: ListName, value: number): boolean {
  return NAMES.get(list)?.has(value) === true;
}

/** The row of a value in a table that is complete for a list. Throws RangeError if the list lacks the value. */
export function rowOf<L extends ListName, R>(
  list: L,
  rows: Readonly<Record<ListValue<L> & number, R>>,
  value: number,
): R {
  if (!has(list, value)) throw new RangeError(`Unknown value of ${list}: ${value}`);
  return rows[value as ListValue<L> & number];
}

/** The name of a value, such as `IN_PROGRESS`. Undefined if the list does not contain the value. */
export function nameOf(list: ListName, value: number): string | undefined {
  return NAMES.get(list)?.get(value);
}

/** The name in lower case, as messages write it: `invoice` in `[order] is [invoice]`. */
export function lowerNameOf(list: ListName, value: number): string | undefined {
  return nameOf(list, value)?.toLowerCase();
}
