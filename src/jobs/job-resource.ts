// Jobs as lists know them: `GET /job` filters, sorts and pages like the list of any resource. A job is no record: it has
// a UUID and no POST or PUT, so it is not in the registry.
import { type Field, int4, jobStatus, timestamp, varchar } from '../model/field.ts';
import type { AnyRecordClass, Resource } from '../model/record.ts';
import { Job } from './job.ts';

const FIELDS: Readonly<Record<string, Field>> = {
  id: varchar(36, { required: true, readonly: true }),
  kind: varchar(40, { required: true, readonly: true }),
  status: jobStatus({ required: true, readonly: true }),
  progress: int4({ required: true, readonly: true, min: 0, max: 100 }),
  created_at: timestamp({ required: true, readonly: true, indexed: true }),
  started_at: timestamp({ readonly: true }),
  finished_at: timestamp({ readonly: true }),
};

class ListedJob extends Job {
  static get resource(): Resource {
    return jobResource;
  }
}

export const jobResource: Resource = {
  name: 'job',
  model: ListedJob as unknown as AnyRecordClass,
  table: Job.tableName,
  fields: new Map(Object.entries(FIELDS)),
  columns: Object.keys(FIELDS),
  unshown: [],
  traits: { description: 'A long-running request' },
  ownership: 'column',
  methods: ['GET'],
};
