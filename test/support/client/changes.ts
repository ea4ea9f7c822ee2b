// The feed of a garage, asked as a client asks it.

import type { Row } from '../../../src/core/model/fields/field.ts';
import { Feed } from '../../../src/platform/changes/feed.ts';
import { select } from '../database/sql.ts';
import { database } from '../service/service.ts';
import type { Answer, Client } from './client.ts';

/** One change, as the feed has it. */
export interface Change {
  readonly seq: number;
  readonly resource: string;
  readonly id: number;
  readonly external_id: string | null;
  readonly action: string;
  readonly version: number;
  readonly changed_at: string;
  readonly fields: string[];
  // biome-ignore lint/suspicious/noExplicitAny: a record has any fields
  readonly record?: any;
}

/** Asks for the feed with these parameters. */
export const changes = (client: Client, parameters: Record<string, string> = {}): Promise<Answer> =>
  client.get(`/changes?${new URLSearchParams(parameters)}`);

/** The cursor behind all changes so far. */
export const latest = async (client: Client): Promise<string> =>
  (await changes(client, { after: 'now' })).body.next;

/** All changes behind a cursor, page by page. */
export async function follow(
  client: Client,
  after: string,
  parameters: Record<string, string> = {},
): Promise<Change[]> {
  const all: Change[] = [];
  for (let next = after; ; ) {
    const { data, body } = await changes(client, { ...parameters, after: next });
    all.push(...data);
    next = body.next;
    if (!body.has_more) return all;
  }
}

/** The log of an owner's records of one resource, in the order of their places. */
export async function logOf(owner: number, resource: string): Promise<Row[]> {
  await place(owner);
  const sql = 'SELECT * FROM changes WHERE owner_id = ? AND resource = ? ORDER BY seq';
  return select(database(), sql, [owner, resource]);
}

/** Gives all changes of an owner their places, as a reader does. */
export const place = (owner: number) => new Feed(database()).place(owner);
