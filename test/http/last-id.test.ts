// The end of the 31-bit IDs of a table. The test empties its end again, so that other tests get low IDs.
import { idProblem } from '../../src/cli/doctor-records.ts';
import { newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { database } from '../support/service/service.ts';

const LAST_ID = 2147483647;
const CONTACT = { contact_kind: 1, last_name: 'A', country_id: 1 };

describe('the last ID of a table', () => {
  const nextId = (id: number) => database().knex.raw('ALTER TABLE contacts AUTO_INCREMENT = ?', [id]);

  it('is given to a record, and the next POST is refused', async () => {
    const client = await newClient();
    await nextId(LAST_ID);
    try {
      const last = await client.post('/contact', CONTACT);
      const refused = await client.post('/contact', CONTACT);
      const changed = await client.put(`/contact/${LAST_ID}`, { last_name: 'B' });

      expect(last.data).to.include({ id: LAST_ID });
      expect(refused).to.be.refused(503, 'Service temporarily unavailable');
      expect(changed.data).to.include({ id: LAST_ID, last_name: 'B' });
    } finally {
      await client.del(`/contact/${LAST_ID}`);
      // The server takes the lowest free ID above all others.
      await nextId(1);
    }
    expect((await client.post('/contact', CONTACT)).data.id).to.be.below(LAST_ID);
  });

  it('is named by doctor when half of the IDs are used up', async () => {
    await nextId(2 ** 30 + 1);
    try {
      expect(await idProblem(database())).to.equal(
        'are more than half used up in contacts: see "Troubleshooting" in docs/operations.md',
      );
    } finally {
      await nextId(1);
    }
    expect(await idProblem(database())).to.equal(undefined);
  });
});
