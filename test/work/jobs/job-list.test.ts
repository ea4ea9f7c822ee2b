// GET /job: the list, filtered, sorted and page by page.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute } from '../../support/database/sql.ts';
import { heldJob } from '../../support/service/job.ts';
import { database } from '../../support/service/service.ts';

const HOOK = 'https://127.0.0.1:1/hook';
const { jobstatuses } = LISTS;
const statusNamed = (name: string) => jobstatuses[name.toUpperCase() as keyof typeof jobstatuses];

describe('a job', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const change = (id: string, assignments: string) =>
    execute(database(), `UPDATE jobs SET ${assignments} WHERE id = ?`, [id]);

  describe('in a list', () => {
    const ids: string[] = [];
    const states = ['queued', 'done', 'failed', 'done'];
    beforeEach(async () => {
      ids.length = 0;
      for (const [made, name] of states.entries()) {
        const kind = made === 0 ? 'document-generation' : 'owner-backup';
        const id = await heldJob(client, { webhookUrl: `${HOOK}${made}`, kind });
        await change(id, `status = ${statusNamed(name)}, created_at = '2026-05-01 10:00:0${made}'`);
        ids.push(id);
      }
    });
    const found = async (query: string) => {
      const answer = await client.get(`/job?${query}`);
      expect(answer.status, answer.text).to.equal(200);
      return answer.data.map(({ id }: { id: string }) => ids.indexOf(id));
    };

    it('shows its fields, the status by its name, and those that are asked for', async () => {
      const all = await client.get('/job');
      const some = await client.get('/job?fields=status,kind');

      const keys = ['id', 'kind', 'status', 'progress', 'created_at', 'started_at', 'finished_at'];
      for (const job of all.data) expect(job).to.have.all.keys(...keys);
      expect(all.data.map(({ status }: { status: string }) => status)).to.deep.equal([...states].reverse());
      expect(some.data[3]).to.deep.equal({ id: ids[0], status: 'queued', kind: 'document-generation' });
    });

    it('is filtered, counted and sorted like any record', async () => {
      expect(await found('filter=status:done')).to.deep.equal([3, 1]);
      expect(await found('filter=status[in]:failed|queued')).to.deep.equal([2, 0]);
      expect(await found('filter=status[ne]:done&sort=created_at')).to.deep.equal([0, 2]);
      expect(await found('filter=kind[like]:document-*')).to.deep.equal([0]);
      expect(await found(`filter=id:${ids[2]}`)).to.deep.equal([2]);
      expect(await found('filter=created_at[ge]:2026-05-01T10:00:02Z')).to.deep.equal([3, 2]);
      expect(await found('filter=started_at[null]:1,progress[lt]:1&sort=-created_at')).to.deep.equal([
        3, 2, 1, 0,
      ]);
      expect((await client.get('/job?count=1&page_size=1&filter=status:done')).body.total).to.equal(2);
    });

    it('is found page by page in any order', async () => {
      for (const sort of ['status,created_at', '-status,created_at', '-id', 'kind,-finished_at']) {
        const paged: unknown[] = [];
        let cursor = '';
        do {
          const answer = await client.get(`/job?page_size=1&sort=${sort}${cursor}`);
          expect(answer.status, answer.text).to.equal(200);
          paged.push(...answer.data.map(({ id }: { id: string }) => ids.indexOf(id)));
          cursor = answer.body.next === null ? '' : `&cursor=${answer.body.next}`;
        } while (cursor !== '');

        expect(paged, sort).to.deep.equal(await found(`sort=${sort}`));
        expect(await found(`sort=${sort}&page=2&page_size=2`), sort).to.deep.equal(paged.slice(2));
      }
      expect((await found('sort=status,-created_at')).slice(0, 3)).to.deep.equal([0, 3, 1]);
    });

    it('has a cancelled import that is still to write its report as cancelled', async () => {
      const cancelled = "cancelled_at = '2026-05-01 11:00:00'";
      const leased = `status = ${jobstatuses.RUNNING}, lease_until = UTC_TIMESTAMP(3) + INTERVAL 15 SECOND`;
      await change(ids[0] ?? '', cancelled);
      await change(ids[1] ?? '', `${cancelled}, ${leased}`);
      await change(ids[2] ?? '', cancelled);
      const shown = async (query: string) =>
        (await client.get(`/job?${query}`)).data.map(({ status }: { status: string }) => status);

      const jobs = await Promise.all(ids.map((id) => client.get(`/job/${id}`)));
      const sorted = await client.get('/job?sort=status,created_at&page_size=3');
      const rest = await found(`sort=status,created_at&page_size=3&cursor=${sorted.body.next}`);

      const statuses = ['done', 'failed', 'cancelled', 'cancelled'];
      expect(jobs.map(({ data }) => data.status).reverse()).to.deep.equal(statuses);
      for (const query of ['', 'page_size=1000']) expect(await shown(query)).to.deep.equal(statuses);
      for (const filter of ['status:cancelled', 'status[like]:cancelled', 'status[ni]:done|failed'])
        expect(await found(`filter=${filter}`), filter).to.deep.equal([1, 0]);
      expect(await found('filter=status[in]:queued|running')).to.deep.equal([]);
      expect((await client.get('/job?count=1&filter=status[ne]:cancelled')).body.total).to.equal(2);
      expect(sorted.data.map(({ id }: { id: string }) => ids.indexOf(id))).to.deep.equal([3, 2, 0]);
      expect(rest).to.deep.equal([1]);
    });

    it('refuses what a job has not', async () => {
      const unknown = (name: string) => [403, `Field: [${name}] not found in model`] as const;

      expect(await client.get('/job?expand=callbacks')).to.be.refused(...unknown('callbacks'));
      expect(await client.get('/job?sort=secret')).to.be.refused(...unknown('secret'));
      expect(await client.get('/job?fields=webhook_url')).to.be.refused(...unknown('webhook_url'));
      expect(await client.get('/job?filter=owner_id:1')).to.be.refused(...unknown('owner_id'));
      expect(await client.get('/job?filter=status:ready')).to.be.refused(
        403,
        'Field: [status] has an invalid value: [ready] for datatype: varchar',
      );
      expect(await client.get(`/job/${ids[0]}?sort=id`)).to.be.refused(
        400,
        'Invalid request, query parameter is not supported: [sort]',
      );
    });

    it('is not there for another owner', async () => {
      const stranger = await newClient();

      const answer = await stranger.get(`/job?count=1&filter=id[in]:${ids.join('|')}`);

      expect(answer.body).to.deep.include({ data: [], total: 0 });
    });
  });

  it('is listed newest first, page by page', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 5; made += 1) {
      ids.unshift(await heldJob(client, { webhookUrl: `${HOOK}${made}` }));
      await change(ids[0] ?? '', `created_at = '2026-05-01 10:00:0${made}'`);
    }
    const shown = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

    const first = await client.get('/job?page_size=2');
    const second = await client.get(`/job?page_size=2&cursor=${first.body.next}`);
    const third = await client.get(`/job?page_size=2&cursor=${second.body.next}`);

    expect([first, second, third].map(shown)).to.deep.equal([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(first.body).to.include({ page: 1, page_size: 2, has_more: true });
    expect(third.body).to.include({ page: null, page_size: 2, has_more: false, next: null });
    expect(shown(await client.get('/job?page_size=2&page=2'))).to.deep.equal(ids.slice(2, 4));
    expect(await client.get(`/job?page=1&cursor=${first.body.next}`)).to.be.refused(
      400,
      'Parameter invalid [cursor] cannot be combined with [page]',
    );
    expect(await client.get('/job?cursor=abc')).to.be.refused(
      400,
      'Parameter invalid [cursor] value is not a cursor of this list',
    );
  });
});
