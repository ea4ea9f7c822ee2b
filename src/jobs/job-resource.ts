// Jobs as `GET /job` lists them. A job has a UUID, and no POST or PUT.
import { int4, jobStatus, timestamp, varchar } from '../model/field.ts';
import { listed } from '../model/listed.ts';
import { Job } from './job.ts';

const FIELDS = {
  id: varchar(36, { required: true, readonly: true }),
  kind: varchar(40, { required: true, readonly: true }),
  status: jobStatus({ required: true, readonly: true }),
  progress: int4({ required: true, readonly: true, min: 0, max: 100 }),
  created_at: timestamp({ required: true, readonly: true, indexed: true }),
  started_at: timestamp({ readonly: true }),
  finished_at: timestamp({ readonly: true }),
};

export const jobResource = listed('job', Job, FIELDS, {
  description: 'A long-running request',
  newest: 'created_at',
});
