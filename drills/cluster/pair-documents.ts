// The rule of documents that two jobs at two nodes could break together. The jobs need threads, which the processes of
// the other pairs lack.
import { LISTS } from '../../src/core/trade/lists.ts';
import { until } from '../../test/support/service/until.ts';
import { post, type Rule } from './pair.ts';
import { addBuyer, addInvoice } from './record.ts';
import type { Scene } from './scene.ts';

const { INVOICE, CREDIT_NOTE } = LISTS.documenttypes;
const PATIENCE_MS = 60_000;

export const SAME_DOCUMENT: Rule = {
  name: 'the same content is the same document record',
  prepare: async (scene) => {
    const order = await addInvoice(scene, await addBuyer(scene));
    // The order decides about its paper, so both make the same file. Identical requests would share a job.
    const ask = (document_type: number) => post('document/generate', { document_type, order_ids: [order] });
    return {
      requests: [ask(INVOICE), ask(CREDIT_NOTE)],
      isBroken: async (answers) => {
        for (const { data } of answers) if (!(await isDone(scene, data.job_id))) return true;
        await scene.settle();
        return (await scene.list('document', `order_id:${order}`)).length !== 1;
      },
    };
  },
};

/** Waits for the end of a job; false: it ended in another way. */
async function isDone(scene: Scene, job: string): Promise<boolean> {
  let status = '';
  await until(async () => {
    status = (await scene.ask(0, 'GET', `/job/${job}`)).data.status;
    return status !== 'queued' && status !== 'running';
  }, PATIENCE_MS);
  return status === 'done';
}
