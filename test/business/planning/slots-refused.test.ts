// GET /planning/slots: which queries are refused, and how.
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

describe('GET /planning/slots refuses', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });
  const from = '2026-05-04T00:00:00Z';
  const until = '2026-05-05T00:00:00Z';
  const ask = (query: Json) =>
    client.get(`/planning/slots?${new URLSearchParams({ from, until, minutes: '60', ...query } as never)}`);

  it('an interval without its ends', async () => {
    expect(await client.get('/planning/slots?minutes=15')).to.be.refused(
      400,
      'These parameter(s): [from, until] are required',
    );
    expect(await ask({ until: '', minutes: 'x' })).to.be.refused(
      400,
      'These parameter(s): [until] are required',
    );
  });

  it('a length off the grid', async () => {
    const wrong = 'Parameter invalid [minutes] value must be a multiple of 15 between 15 and 1440';

    for (const minutes of ['0', '20', '1455', '-15', '15.5', 'x', '1e2'])
      expect(await ask({ minutes })).to.be.refused(400, wrong);

    expect((await ask({ minutes: '1440' })).status).to.equal(200);
  });

  it('an end that is not after the start, or more than 31 days later', async () => {
    const wrong = (reason: string) => `Parameter invalid [until] value must be ${reason}`;

    expect(await ask({ until: from })).to.be.refused(400, wrong('after from'));
    expect(await ask({ until: '2026-05-03T00:00:00Z' })).to.be.refused(400, wrong('after from'));
    expect(await ask({ until: '2026-06-04T00:00:00.001Z' })).to.be.refused(
      400,
      wrong('at most 31 days after from'),
    );

    expect((await ask({ until: '2026-06-04T00:00:00Z' })).status).to.equal(200);
  });

  it('a day that does not exist, and values of no list', async () => {
    expect(await ask({ from: '2026-02-30' })).to.be.refused(
      403,
      'Field: [from] has an invalid value: [2026-02-30] for datatype: timestamp(ISO 8601)',
    );
    expect(await ask({ workplace_kind: 9 })).to.be.refused(
      403,
      'Field: [workplace_kind] has an invalid value: [9] for validation: [workplacekinds]',
    );
    expect(await ask({ function_kind: 'x' })).to.be.refused(
      403,
      'Field: [function_kind] has an invalid value: [x] for datatype: int4',
    );

    expect((await ask({ workplace_kind: '', function_kind: '' })).status).to.equal(200);
  });

  it('all wrong values at once', async () => {
    const { errors } = (await ask({ function_kind: 'x', minutes: 'x', from: 'x' })).body;

    expect(errors.map(({ field }: { field: string }) => field)).to.deep.equal([
      'from',
      'minutes',
      'function_kind',
    ]);
  });

  it('an unknown parameter', async () => {
    expect(await ask({ page: 2 })).to.be.refused(
      400,
      'Invalid request, query parameter is not supported: [page]',
    );
  });
});
