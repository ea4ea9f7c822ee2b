// How the documents of a garage look: its colour, and its logo as prepared for documents. Preparing a logo takes longer
// than making a document, so a job prepares it once, and again only if the garage has changed meanwhile.
import { LRUCache } from 'lru-cache';
import type { HouseStyle } from '../documents/document.ts';
import { prepareLogo } from '../documents/logo.ts';
import type { Row } from '../model/field.ts';
import { findRecord } from '../model/find.ts';
import { resourceNamed } from '../model/registry.ts';
import type { Database, Session } from '../model/session.ts';

const MOST_OWNERS = 20;

interface Prepared extends HouseStyle {
  /** Of the owner's record. */
  readonly version: number;
}

/** By database and owner. A job connects to the database anew, so nothing outlives a job. */
const prepared = new WeakMap<Database, LRUCache<number, Prepared>>();

/** The look of today. `session` reads the owner; `database` is where the result is remembered. */
export async function readHouseStyle(
  database: Database,
  session: Session,
  owner: number,
): Promise<HouseStyle> {
  const known = prepared.get(database) ?? new LRUCache<number, Prepared>({ max: MOST_OWNERS });
  prepared.set(database, known);
  const read = (column: string): Promise<Row | undefined> =>
    findRecord(session, resourceNamed('owner'), owner, owner, [column]);
  const row = await read('accent_color');
  const version = Number(row?.version);
  const last = known.get(owner);
  if (last?.version === version) return last;
  const logo = (await read('logo'))?.logo;
  const style: Prepared = {
    version,
    accent_color: row?.accent_color == null ? null : String(row.accent_color),
    logo: logo == null ? undefined : await prepareLogo(Buffer.from(String(logo), 'base64')),
  };
  known.set(owner, style);
  return style;
}
