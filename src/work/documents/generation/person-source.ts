// Reads everything about a contact from one snapshot: a section for each resource that is about persons. Leaves out
// what belongs to others: the dealer's books, other buyers, and the remarks about somebody whose invoice went to this
// contact.

import { Person, resourcesAbout } from '../../../business/privacy/person.ts';
import { readShownLog } from '../../../business/privacy/trace.ts';
import type { Row } from '../../../core/model/fields/field.ts';
import { findRecord } from '../../../core/model/lists/find.ts';
import { columnsWithoutBytes, type Resource } from '../../../core/model/records/record.ts';
import { garageOf } from '../../../core/model/statements/garage.ts';
import type { Database } from '../../../core/model/statements/session.ts';
import { actionName } from '../../../core/model/writes/change-action.ts';
import { Contact } from '../../../core/resources/contact.ts';
import { Owner } from '../../../core/resources/owner.ts';
import { databaseNow } from '../../../core/trade/time/timestamp.ts';
import { placeChanges } from '../../../platform/changes/place.ts';
import type { PersonChange, PersonData, Section } from '../pdf/person-report.ts';

/** The columns of a resource that the person gets. */
export const columnsOf = ({ columns, fields }: Resource): string[] =>
  columns.filter((name) => !fields.get(name)?.internal);

/** Undefined if the owner has no such contact. */
export async function readPerson(
  database: Database,
  owner: number,
  id: number,
): Promise<PersonData | undefined> {
  // The log then has all changes up to this moment.
  await placeChanges(database, owner);
  return database.snapshot(async (session) => {
    const company = Owner.resource;
    const seller = await findRecord(garageOf(session, owner), company, owner, columnsWithoutBytes(company));
    const contact = await findRecord(garageOf(session, owner), Contact.resource, id);
    if (!seller || !contact) return undefined;
    const person = new Person(garageOf(session, owner), id);
    const sections: Section[] = [{ resource: Contact.resource, rows: [contact] }];
    for (const resource of resourcesAbout()) sections.push({ resource, rows: await person.shown(resource) });
    return {
      owner: seller,
      contact,
      sections: sections.map(({ resource, rows }) => ({ resource, rows: rows.map(shownTo(resource)) })),
      changes: (await readShownLog(person)).map(shownChange),
      takenAt: databaseNow(),
    };
  });
}

/** Leaves the columns that the person gets. */
function shownTo(resource: Resource): (row: Row) => Row {
  const columns = columnsOf(resource);
  return (row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
}

/** Without the names of the users who made the changes. */
const shownChange = ({
  at,
  resource,
  record_id,
  action,
  values,
}: Awaited<ReturnType<typeof readShownLog>>[number]): PersonChange => ({
  at,
  resource,
  record_id,
  action: actionName(action),
  changes: values,
});
