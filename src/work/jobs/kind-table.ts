// All that the engine knows about a kind of job besides its worker. A kind without a row does not compile.
import type { Kind, Kinds } from './kind.ts';

/** Stands for the resource of an export. */
const RESOURCE = '{resource}';

interface KindRow {
  /** The endpoint that a job counts as. Callers who may not use this endpoint don't see the job. */
  readonly endpoint: string;
  /** The request brings a file, which goes when the job is over. */
  readonly hasUpload: boolean;
  /** A job that is cancelled or given up still writes a report of its work. */
  readonly reports: boolean;
  /** The parameters may name a person, as the filter of a list may. */
  readonly namesPersons: boolean;
}

const PLAIN = { hasUpload: false, reports: false, namesPersons: false };

export const KINDS: { readonly [K in Kind]: KindRow } = {
  'document-generation': { ...PLAIN, endpoint: 'POST /document/generate' },
  // A caller who may read the list may have it as a file.
  export: { ...PLAIN, endpoint: `GET /${RESOURCE}`, namesPersons: true },
  import: { ...PLAIN, endpoint: 'POST /import', hasUpload: true, reports: true },
  journal: { ...PLAIN, endpoint: 'POST /export' },
  'owner-backup': { ...PLAIN, endpoint: 'POST /backup/owner' },
  'personal-data': { ...PLAIN, endpoint: 'POST /contact/personaldata' },
};

/** The kinds of this version. While processes are restarted in turn, a newer one may have added jobs of others. */
export const KNOWN_KINDS = Object.keys(KINDS) as readonly Kind[];

/** The kinds that have the property. */
export const kindsThat = (property: 'hasUpload' | 'reports' | 'namesPersons'): Kind[] =>
  KNOWN_KINDS.filter((kind) => KINDS[kind][property]);

/** The endpoint of one job: `GET /contact` of an export of contacts. */
export function endpointOf<K extends Kind>(kind: K, params: Kinds[K]): string {
  const { resource = '' } = params as { readonly resource?: string };
  return KINDS[kind].endpoint.replace(RESOURCE, resource);
}

/** The endpoints of all jobs that there can be, with these resources to export. */
export const endpointsOfJobs = (resources: readonly string[]): string[] => [
  ...new Set(
    Object.values(KINDS).flatMap(({ endpoint }) =>
      endpoint.includes(RESOURCE) ? resources.map((name) => endpoint.replace(RESOURCE, name)) : endpoint,
    ),
  ),
];
