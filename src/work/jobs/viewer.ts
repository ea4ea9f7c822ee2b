// Who sees a job, and who ends it. For others the job does not exist.

import { allResources } from '../../core/model/records/registry.ts';
import { LISTS } from '../../core/trade/lists.ts';
import type { Identity } from '../../platform/auth/token.ts';
import { endpointsOfJobs } from './kind-table.ts';

/** A caller, as far as jobs go. */
export interface Viewer {
  readonly owner: number;
  readonly employee: number;
  readonly isAdmin: boolean;
  /** The endpoints that the key and the user's role allow: the caller sees the jobs that count as one of these. */
  readonly endpoints: readonly string[];
}

/** `may` tells whether the caller may use an endpoint. */
export function viewing(
  { owner, employee, role }: Pick<Identity, 'owner' | 'employee' | 'role'>,
  may: (endpoint: string) => boolean,
): Viewer {
  const listed = allResources().filter(({ methods }) => methods.includes('GET'));
  const endpoints = endpointsOfJobs(listed.map(({ name }) => name)).filter(may);
  return { owner, employee, isAdmin: role === LISTS.rolekinds.ADMIN, endpoints };
}

/** Whether the caller may cancel a job, and have it called back again. */
export const mayEnd = (
  { employee, isAdmin }: Viewer,
  job: { readonly employee_id: number | null },
): boolean => isAdmin || job.employee_id === employee;
