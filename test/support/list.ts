// A page of a list, read by the model alone.
import type { ListQuery } from '../../src/model/list-query.ts';
import { listJson } from '../../src/model/search.ts';
import type { Session } from '../../src/model/session.ts';

export async function readList(session: Session, owner: number, query: ListQuery): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of listJson(session, owner, query)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
