// A callback as the service makes it, to a receiver of the test.
import type { Lookup } from '../../../src/platform/calls/lookup.ts';
import { type Call, callWebhook } from '../../../src/work/jobs/callback-call.ts';
import type { Receiver } from '../../support/process/https-receiver.ts';

export const ID = 'a3bb189e-8bf9-4c9a-b5c7-3f9a1d2e4f60';
export const JOB = '5f0c7a4e-0d43-4c3f-9a55-8b1d6b7f2c11';
export const SECRET = 'geheim-ünïcode-🔑';

export const callReceiver = (receiver: Receiver, changes: Partial<Call> = {}, lookup?: Lookup) =>
  callWebhook(
    {
      ...{ url: receiver.url('/hook'), id: ID, jobId: JOB, webhookSecret: SECRET, allow: ['127.0.0.0/8'] },
      ...changes,
    },
    lookup,
  );
