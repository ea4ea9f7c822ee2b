// The request for an export. The job keeps the texts of the request; the thread reads them again.

import { type ListQuery, parseListQuery } from '../../core/model/lists/list-query.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { allResources, resourceNamed } from '../../core/model/records/registry.ts';

export const FORMATS = ['ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** How the file is written. */
export interface FileForm {
  readonly format: Format;
  /** 1: cells of a CSV that look like formulas stay as they are. */
  readonly raw: number;
}

/** A list to export, with the `filter`, `fields` and `sort` of a list; null: not given. */
export interface ListAsked {
  readonly resource: string;
  readonly filter: string | null;
  readonly fields: string | null;
  readonly sort: string | null;
}

/** The resources that can be exported: they have a list. */
export const exportable = (): Resource[] => allResources().filter(({ methods }) => methods.includes('GET'));

/** Reads filter, fields and sort as the list of the resource does. Throws Problem. */
export function readListAsked(owner: number, { resource, filter, fields, sort }: ListAsked): ListQuery {
  const given = Object.entries({ filter, fields, sort }).filter(
    (one): one is [string, string] => one[1] !== null,
  );
  return parseListQuery(resourceNamed(resource), owner, new Map(given));
}
