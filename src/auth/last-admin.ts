// An owner always has an ADMIN who can log in: nobody else can change employees. Changes that take an ADMIN away wait
// for one another, so that two of them at the same time can't take the last two.
import { type Violation, violation } from '../errors.ts';
import { nextNumber } from '../model/counter.ts';
import type { Row } from '../model/field.ts';
import { modelNamed } from '../model/registry.ts';
import type { Session } from '../model/session.ts';
import { isEmail } from '../trade/identifiers.ts';
import { LISTS } from '../trade/lists.ts';
import { fit, isFit } from './fit.ts';

const { ADMIN } = LISTS.rolekinds;

/**
 * Refuses a change or a deletion of the last ADMIN who can log in. `next` is the row after the change; without `next` the
 * row is deleted.
 */
export async function refuseLastAdmin(
  session: Session,
  owner: number,
  row: Row,
  next: Row | undefined,
): Promise<Violation | undefined> {
  // A change of the address is no reason: addresses are not checked when they are stored.
  if (!isAdmin(row) || (next && isAdmin({ ...next, emailaddress: row.emailaddress ?? null })))
    return undefined;
  // Counting locks a row of the owner and writes it. A Galera cluster compares written rows only.
  await nextNumber(session, owner, 'admin');
  const others = await modelNamed('employee')
    .query(session.knex)
    .alias('e')
    .modify('owned', owner)
    .modify(fit, 'e')
    .where('e.role_kind', ADMIN)
    .whereNot('e.id', Number(row.id));
  return others.some((other) => isAdmin(other as unknown as Row)) ? undefined : violation('admin_needed');
}

function isAdmin(row: Row): boolean {
  const { role_kind, is_external, username, password_hash, emailaddress } = row;
  const hasLogin = username != null && password_hash != null && isEmail(String(emailaddress ?? ''));
  return role_kind === ADMIN && is_external !== 1 && hasLogin && isFit(row);
}
