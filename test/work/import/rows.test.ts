// The rows of an import: matched, checked like POST and PUT, in their order.

import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { build, sampleBody } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import {
  importJson,
  importRows,
  NDJSON,
  person,
  rowMessages,
  sendImport,
} from '../../support/client/import.ts';

const NO_LAST_NAME = {
  code: 'field_required',
  message: 'Field: [last_name] is required and not supplied in request',
  field: 'last_name',
};
/** Rows of an update, and what is said about them once K-1 is K-9. */
const WRONG_UPDATES: [row: Json, text: string][] = [
  [{ external_id: 'K-1', city: 'Zwolle' }, 'Field: [external_id] value: [K-1] not found'],
  [{ external_id: 'K-3', last_name: 'Niemand' }, 'Field: [external_id] value: [K-3] not found'],
  [{ id: 2147483647, last_name: 'Niemand' }, 'Field: [id] value: [2147483647] not found'],
  [{ id: 'x', last_name: 'Niemand' }, 'Primary ID is not an valid ID'],
  [{ last_name: 'Niemand' }, 'No primary ID provided'],
  [{ external_id: 'K-2', last_name: null }, 'Field: [last_name] is required and cannot be empty'],
  [{ external_id: 'K-2', created_at: null }, 'Field: [created_at] is readonly do not supply in request'],
];

describe('the rows of an import', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const contacts = async () => (await client.get('/contact?sort=id')).data as Json[];

  it('are added as POST adds them, and the report says so by their lines', async () => {
    const csv =
      'contact_kind,last_name,country_id,debtor_number,huisnummer\n1,"de\nBoer",1,00123,7\n\n1,,1,,\n1,Smit,1,,\n';

    const report = await importRows(client, 'resource=contact', csv);

    const [boer, smit] = await contacts();
    const cells = { last_name: 'de\nBoer', debtor_number: '00123', huisnummer: 7 };
    expect(boer).to.include({ ...cells, contact_number: 1, is_customer: 0 });
    expect(smit).to.include({ last_name: 'Smit', debtor_number: null, contact_number: 2 });
    expect(report.rows).to.deep.equal([
      { line: 2, status: 'created', id: boer?.id, errors: [] },
      { line: 5, status: 'refused', id: null, errors: [NO_LAST_NAME] },
      { line: 6, status: 'created', id: smit?.id, errors: [] },
    ]);
    expect(report.refused).to.equal('contact_kind,last_name,country_id,debtor_number,huisnummer\n1,,1,,\n');
    expect(report.summary).to.deep.equal({
      ...{ resource: 'contact', mode: 'insert', dry_run: 0, history: 0, cancelled: 0 },
      ...{ rows: 3, rows_total: 3, created: 2, updated: 0, unchanged: 0, refused: 1 },
    });
    expect(report.names).to.deep.equal(['report.ndjson', 'refused.csv', 'summary.json']);
  });

  it('are refused with the texts of POST, stage by stage', async () => {
    const row = { colour: 1, contact_kind: 'x', huisnummer: 'y', id: 5, created_at: '2026-01-01' };
    const posted = await client.post('/contact', row);

    const { rows, refused } = await importJson(client, 'resource=contact', [row, { contact_kind: 1 }]);

    expect(rows[0].errors).to.deep.equal(posted.body.errors);
    expect(rows[1].errors).to.deep.equal((await client.post('/contact', { contact_kind: 1 })).body.errors);
    expect(refused).to.equal(`${JSON.stringify(row)}\n{"contact_kind":1}\n`);
    expect(await contacts()).to.deep.equal([]);
  });

  it('change the record of their id, or else of their external_id', async () => {
    const one = await build(client, 'contact', person({ external_id: 'K-1', city: 'Utrecht' }));
    const two = await build(client, 'contact', person({ external_id: 'K-2' }));

    const { rows } = await importJson(client, 'resource=contact&mode=update', [
      { id: one.id, last_name: 'Bakker', external_id: 'K-9' },
      { external_id: 'K-2', last_name: 'Visser' },
      { external_id: 'K-9', city: 'Zwolle' },
      ...WRONG_UPDATES.map(([row]) => row),
    ]);

    expect(rows.map(({ status, id }) => [status, id])).to.deep.equal([
      ['updated', one.id],
      ['updated', two.id],
      ['updated', one.id],
      ...Array(7).fill(['refused', null]),
    ]);
    expect(rows.slice(3).map(rowMessages)).to.deep.equal(WRONG_UPDATES.map(([, text]) => [text]));
    expect((await contacts()).map(({ last_name, city }) => [last_name, city])).to.deep.equal([
      ['Bakker', 'Zwolle'],
      ['Visser', two.city],
    ]);
  });

  it('add or change in an upsert, and the same file again changes nothing', async () => {
    const csv =
      'external_id;contact_kind;last_name;country_id\nA;1;Een;1\nB;1;Twee;1\nA;1;Een;1\nB;1;Drie;1\n';

    const first = await importRows(client, 'resource=contact&mode=upsert', csv);
    const versions = (await contacts()).map(({ modified_at }) => modified_at);
    const again = await importRows(client, 'resource=contact&mode=upsert', csv.replace('B;1;Twee;1\n', ''));

    expect(first.rows.map(({ status }) => status)).to.deep.equal([
      'created',
      'created',
      'unchanged',
      'updated',
    ]);
    expect(again.rows.map(({ status }) => status)).to.deep.equal(['unchanged', 'unchanged', 'unchanged']);
    expect((await contacts()).map(({ last_name }) => last_name)).to.deep.equal(['Een', 'Drie']);
    expect((await contacts()).map(({ modified_at }) => modified_at)).to.deep.equal(versions);
  });

  it('leave an empty cell out of a new record, and empty the field of a known one', async () => {
    const known = await build(
      client,
      'contact',
      person({ external_id: 'A', city: 'Utrecht', is_customer: 1 }),
    );

    await importRows(
      client,
      'resource=contact&mode=upsert',
      'external_id,contact_kind,last_name,country_id,city,is_customer\nA,1,Jansen,1,,\nB,1,Jansen,1,,\n',
    );

    const [first, second] = await contacts();
    expect(first).to.include({ id: known.id, city: null, is_customer: 0 });
    expect(second).to.include({ city: null, is_customer: 0 });
  });

  it('that share a unique value: the second is refused, unless the first was', async () => {
    const article = await sampleBody(client, resourceNamed('vehicle'));
    const vehicle = (license_plate: string, changes: Json = {}) => ({
      ...article,
      vin: undefined,
      license_plate,
      ...changes,
    });

    const { rows } = await importJson(client, 'resource=vehicle', [
      vehicle('12-AB-34'),
      vehicle('12ab34'),
      vehicle('56-CD-78', { make: null }),
      vehicle('56-CD-78'),
    ]);

    expect(rows.map(({ status }) => status)).to.deep.equal(['created', 'refused', 'refused', 'created']);
    expect(rowMessages(rows[1])).to.deep.equal([
      'Field: [license_plate] value: [12ab34] has a duplicate illegal value',
    ]);
  });

  it('are no JSON object: refused by themselves, with their line', async () => {
    const rows = `${JSON.stringify(person())}\n\n[1]\n{"a":\n${'['.repeat(40)}\n${JSON.stringify(person())}`;

    const report = await importRows(client, 'resource=contact', rows, NDJSON);

    expect(report.rows.map(({ line, status }) => [line, status])).to.deep.equal([
      [1, 'created'],
      [3, 'refused'],
      [4, 'refused'],
      [5, 'refused'],
      [6, 'created'],
    ]);
    expect(rowMessages(report.rows[2])).to.deep.equal(['Body is not valid JSON']);
  });

  it('are empty objects: refused as an empty body is', async () => {
    for (const mode of ['insert', 'upsert', 'update']) {
      const { rows } = await importJson(client, `resource=contact&mode=${mode}`, [{}]);

      expect(rows).to.deep.equal([
        { line: 1, status: 'refused', id: null, errors: [{ code: 'body_empty', message: 'Empty body' }] },
      ]);
    }
  });

  it('have at most 100 errors in the report, and then their number', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`field${n}`, n]));

    const { rows } = await importJson(client, 'resource=contact', [person(unknown)]);

    expect(rows[0].errors).to.have.length(101);
    expect(rows[0].errors[100]).to.deep.equal({ code: 'more_errors', message: '[30] more errors' });
  });

  it('show no password where they are refused', async () => {
    const [password, hidden] = ['a secret of mine', '[...]'];
    const employee = { last_name: 'Smit', emailaddress: 'x', username: 'x', role_kind: 99 };
    const rows = [{ ...employee, password }, { ...employee, password: null }, { password: [password] }];
    const text = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n{"password":"${password}"\n["${password}"]\n{}`;
    const csv = `last_name;password;role_kind\n"Sm;it";"${password}\n${password}";99\nSmit;;99\n`;

    const json = await importRows(client, 'resource=employee', text, NDJSON);
    const table = await importRows(client, 'resource=employee', csv);

    expect(json.refused.trimEnd().split('\n')).to.deep.equal([
      JSON.stringify({ ...employee, password: hidden }),
      JSON.stringify({ ...employee, password: null }),
      JSON.stringify({ password: hidden }),
      JSON.stringify(hidden),
      JSON.stringify(hidden),
      '{}',
    ]);
    expect(table.refused).to.equal('last_name;password;role_kind\n"Sm;it";[...];99\nSmit;;99\n');
    expect(JSON.stringify([json, table])).not.to.include(password);
  });

  it('with a decimal comma or a Dutch date are told how to write it', async () => {
    const csv = 'article_number;description;article_kind;unit_type;price;vat_code\nA;Bout;1;1;1.234,50;1\n';
    const { rows } = await importRows(client, 'resource=article', csv);
    const dated = await importRows(client, 'resource=contact', 'last_name,date_of_birth\nX,31-12-1980\n');

    expect(rows[0].errors[0]).to.include({
      message: 'Field: [price] has an invalid value: [1.234,50] for datatype: float8',
      hint: 'This is a decimal comma. Write a decimal point and no other points: 1234.50',
    });
    expect(dated.rows[0].errors[0].hint).to.equal('Write year, month and day: 1980-12-31');
  });

  it('are logged as changes of the job, in its name', async () => {
    const answer = await sendImport(client, 'resource=contact', `${JSON.stringify(person())}\n`, NDJSON);
    const { data } = answer;
    await client.get(`/job/${data.job_id}`);

    const audit = await (async () => {
      for (;;) {
        const found = (await client.get('/audit?filter=resource:contact')).data;
        if (found.length > 0) return found;
      }
    })();

    expect(audit[0]).to.include({ action: 'created', request_id: data.job_id });
    expect(audit[0].employee_id).to.be.a('number');
  });
});
