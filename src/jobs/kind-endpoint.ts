// The endpoint that a job of each kind counts as (contract, section 6): callers who may not use the endpoint may not
// see the job. A kind without an entry does not compile.
import type { Kind, Kinds } from './kind.ts';

/** Stands for the resource of an export. */
const RESOURCE = '{resource}';

export const KIND_ENDPOINTS: { readonly [K in Kind]: string } = {
  'document-generation': 'POST /document/generate',
  // A caller who may read the list may have it as a file.
  export: `GET /${RESOURCE}`,
  import: 'POST /import',
  journal: 'POST /export',
  'owner-backup': 'POST /backup/owner',
  'personal-data': 'POST /contact/personaldata',
};

/** The endpoint of one job: `GET /contact` of an export of contacts. */
export function endpointOf<K extends Kind>(kind: K, params: Kinds[K]): string {
  const { resource = '' } = params as { readonly resource?: string };
  return KIND_ENDPOINTS[kind].replace(RESOURCE, resource);
}

/** The endpoints of all jobs that there can be, with these resources to export. */
export const endpointsOfJobs = (resources: readonly string[]): string[] => [
  ...new Set(
    Object.values(KIND_ENDPOINTS).flatMap((endpoint) =>
      endpoint.includes(RESOURCE) ? resources.map((name) => endpoint.replace(RESOURCE, name)) : endpoint,
    ),
  ),
];
