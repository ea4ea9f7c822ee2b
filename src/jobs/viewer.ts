// Who sees a job, and who ends it. For others the job does not exist.
import { forbidden } from '../auth/permission.ts';
import type { Identity } from '../auth/token.ts';
import { allResources } from '../model/registry.ts';
import { LISTS } from '../trade/lists.ts';
import { endpointsOfJobs } from './kind-table.ts';

/** A caller, as far as jobs go. */
export interface Viewer {
  readonly owner: number;
  readonly employee: number;
  readonly isAdmin: boolean;
  /** The endpoints that the key and the user's role allow: the caller sees the jobs that count as one of these. */
  readonly endpoints: readonly string[];
}

export function viewerOf({
  owner,
  employee,
  role,
  allow,
}: Pick<Identity, 'owner' | 'employee' | 'role' | 'allow'>): Viewer {
  const endpoints = endpointsOfJobs(allResources().map(({ name }) => name)).filter((endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ');
    return !forbidden(allow, role, method, path);
  });
  return { owner, employee, isAdmin: role === LISTS.rolekinds.ADMIN, endpoints };
}

/** Whether the caller may cancel a job, and have it called back again. */
export const mayEnd = (
  { employee, isAdmin }: Viewer,
  job: { readonly employee_id: number | null },
): boolean => isAdmin || job.employee_id === employee;
