// A page of a list, read by the model alone.

import { listJson } from '../../../src/core/model/lists/list-json.ts';
import type { ListQuery } from '../../../src/core/model/lists/list-query.ts';
import type { Garage } from '../../../src/core/model/statements/garage.ts';

export async function readList(garage: Garage, query: ListQuery): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of listJson(garage, query)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
