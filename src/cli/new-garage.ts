// Creates owners (garages) and employees for the command line and the first start. Both pass the same checks as in the
// API.

import { completeRegimes } from '../business/invoicing/regime/regime.ts';
import { type Body, checkFields } from '../core/model/bodies/check.ts';
import { NETHERLANDS } from '../core/model/fields/validation.ts';
import { garageOf } from '../core/model/statements/garage.ts';
import type { Database, Session } from '../core/model/statements/session.ts';
import { addRecord } from '../core/model/writes/store.ts';
import { insertRow } from '../core/model/writes/write.ts';
import { Employee } from '../core/resources/employee.ts';
import { ALL_MODULES, Owner } from '../core/resources/owner.ts';
import { PAYMENT_DAYS } from '../core/trade/invoice-number.ts';
import { LISTS } from '../core/trade/lists.ts';
import { DEFAULT_TIMEZONE } from '../core/trade/time/day.ts';

const DEMO = {
  legal_name: 'Garage De Vries B.V.',
  street: 'Dorpsstraat',
  huisnummer: 12,
  postcode: '3511 AB',
  city: 'Utrecht',
  phone: '+31 30 123 4567',
  email: 'info@garagedevries.example',
  website: 'https://garagedevries.example',
  kvk_number: '12345678',
  vat_number: 'NL004495445B01',
  iban: 'NL91ABNA0417164300',
  bic: 'ABNANL2A',
  peppol_id: '0106:12345678',
  invoice_prefix: 'F',
  payment_days: PAYMENT_DAYS,
  debtor_account: '1300',
  creditor_account: '1600',
  vat_high_account: '1510',
  vat_low_account: '1520',
  input_vat_account: '1540',
  margin_vat_account: '1530',
  deposit_account: '1700',
  rounding_account: '4900',
  cash_account: '1000',
  pin_account: '1050',
  bank_account: '1100',
  ideal_account: '1150',
  other_account: '1190',
};

interface NewOwner {
  readonly name: string;
  /** It has all fields that invoices and the journal need. */
  readonly demo?: boolean;
  /** How it keeps its books. */
  readonly books?: Body;
}

/** Creates an owner and returns its ID. Throws Problem. */
export const createOwner = (database: Database, owner: NewOwner): Promise<number> =>
  database.transaction((session) => addOwner(session, owner));

/** The same within a transaction. */
export async function addOwner(
  session: Session,
  { name, demo = false, books = {} }: NewOwner,
): Promise<number> {
  const body = {
    name: name.trim(),
    country_id: NETHERLANDS,
    timezone: DEFAULT_TIMEZONE,
    ...(demo ? DEMO : {}),
    ...books,
  };
  const owner = { ...checkFields(Owner.resource, body, undefined), modules: ALL_MODULES };
  const id = await insertRow(garageOf(session, 0), Owner.resource, owner);
  await completeRegimes(garageOf(session, id));
  return id;
}

export interface NewEmployee {
  owner: number;
  username: string;
  password: string;
  emailaddress: string;
  role: keyof typeof LISTS.rolekinds;
  firstName?: string;
  lastName?: string;
  external?: boolean;
}

/** Creates an employee with the same checks as the API, and returns the ID. Throws Problem. */
export const createEmployee = (database: Database, employee: NewEmployee): Promise<number> =>
  database.transaction((session) => addEmployee(session, employee));

/** The same within a transaction. */
export async function addEmployee(session: Session, employee: NewEmployee): Promise<number> {
  const username = employee.username.trim();
  const { firstName = username, lastName = username } = employee;
  const body = {
    username,
    password: employee.password,
    emailaddress: employee.emailaddress.trim(),
    first_name: firstName.trim(),
    last_name: lastName.trim(),
    role_kind: LISTS.rolekinds[employee.role],
    is_external: employee.external ? 1 : 0,
  };
  const { id } = await addRecord(garageOf(session, employee.owner), Employee.resource, body);
  return id;
}
