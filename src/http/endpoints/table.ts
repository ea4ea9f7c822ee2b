// The table of all endpoints below /v2: the record operations of each resource, and one list for each other subject.
import { allResources } from '../../core/model/records/registry.ts';
import type { Endpoint } from '../endpoint.ts';
import { appointmentEndpoints } from './appointment.ts';
import { auditEndpoints } from './audit.ts';
import { authenticateEndpoints } from './authenticate.ts';
import { backupEndpoints } from './backup.ts';
import { changesEndpoints } from './changes.ts';
import { contactEndpoints } from './contact.ts';
import { debtorEndpoints } from './debtor.ts';
import { documentEndpoints } from './document.ts';
import { documentGenerationEndpoints } from './document-generation.ts';
import { employeeEndpoints } from './employee.ts';
import { exportEndpoints } from './export.ts';
import { importEndpoints } from './import.ts';
import { jobEndpoints } from './jobs.ts';
import { orderEndpoints } from './order.ts';
import { personalDataEndpoints } from './personal-data.ts';
import { planningEndpoints } from './planning.ts';
import { recordEndpoint } from './records.ts';
import { searchEndpoints } from './search.ts';
import { timeEntryEndpoints } from './time-entry.ts';
import { tyreSetEndpoints } from './tyre-set.ts';
import { utilEndpoints } from './util.ts';
import { vatReturnEndpoints } from './vat-return.ts';
import { vehicleEndpoints } from './vehicle.ts';
import { webhookEndpoints } from './webhook.ts';
import { deliveryEndpoints } from './webhook-delivery.ts';
import { subscriptionEndpoint } from './webhook-subscription.ts';

/** To be called after loadResources. */
export function endpoints(): Endpoint[] {
  const own: Endpoint[] = [
    ...authenticateEndpoints(() => all),
    ...utilEndpoints,
    ...searchEndpoints,
    ...backupEndpoints,
    ...importEndpoints,
    ...exportEndpoints,
    ...jobEndpoints,
    ...webhookEndpoints,
    ...changesEndpoints,
    ...auditEndpoints,
    ...contactEndpoints,
    ...personalDataEndpoints,
    ...documentEndpoints,
    ...documentGenerationEndpoints,
    ...employeeEndpoints,
    ...orderEndpoints,
    ...planningEndpoints,
    ...appointmentEndpoints,
    ...vehicleEndpoints,
    ...timeEntryEndpoints,
    ...tyreSetEndpoints,
    ...vatReturnEndpoints,
    ...debtorEndpoints,
    ...deliveryEndpoints,
    subscriptionEndpoint(),
  ];
  const taken = new Set(own.map(({ path }) => path));
  const records = allResources()
    .filter(({ methods }) => methods.length > 0)
    .map(recordEndpoint)
    .filter(({ path }) => !taken.has(path));
  const all = [...own, ...records];
  return all;
}
