// Files that are refused as a whole: before anything is written, and with the physical line.
import { readdir } from 'node:fs/promises';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { CSV, endOf, importRows, NDJSON, sendImport } from '../../support/client/import.ts';
import { importHere } from '../../support/client/import-here.ts';
import { RawConnection } from '../../support/client/socket.ts';
import { inStorage, theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const HEADER = 'contact_kind,last_name,country_id\n';
const ROW = '1,Jansen,1\n';
const GOOD = HEADER + ROW.repeat(300);
const LARGEST = 256 * 1024 * 1024;

describe('the file of an import', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  it('may have a cell with a great many line ends', async () => {
    const notes = `a${'\n'.repeat(900_000)}x`;
    const { rows } = await importRows(
      client,
      'resource=contact',
      `contact_kind,last_name,country_id,notes\n1,Jansen,1,"${notes}"\n`,
    );

    expect(rows[0].status).to.equal('refused');
  });

  const REFUSED: [string, string | Buffer, string, string?][] = [
    [
      'cut off within a row',
      `${GOOD}1,Jan`,
      'Line 302: the row has [2] cells, and the header has [3], perhaps the file is cut off',
    ],
    [
      'cut off within quotes',
      `${GOOD}1,"Jan`,
      'Line 302: column [2]: a quote is never closed, or the file is cut off',
    ],
    [
      'with a quote that is never closed',
      `${HEADER}1,"Jansen,1\n${ROW.repeat(300)}`,
      'Line 2: column [2]: a quote is never closed, or the file is cut off',
    ],
    [
      'with a quote that is never closed in a long file',
      `${HEADER}${ROW}1,"Jansen,1\n${ROW.repeat(200_000)}`,
      'Line 3: column [2]: the row is larger than [1048576] bytes, perhaps a quote is never closed',
    ],
    [
      'with an unknown column',
      `${HEADER.trim()},colour\n1,Jansen,1,red\n`,
      'Line 1: column [4] not found in model',
    ],
    ['with a column twice', `last_name,${HEADER}`, 'Line 1: column [3] has the name of column [1]'],
    ['with a column without a name', `last_name,,country_id\nJansen,,1\n`, 'Line 1: column [2] has no name'],
    [
      'with 10,000 columns',
      `${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join()}\n`,
      'Line 1: column [1] not found in model',
    ],
    [
      'with a formula that is not quoted',
      `${GOOD}1,="007",1\n`,
      'Line 302: column [2]: a quote stands inside a cell: a cell with a quote is written in quotes, and the quote twice',
    ],
    [
      'in Latin-1',
      Buffer.concat([Buffer.from(GOOD), Buffer.from('1,Jos\u00e9,1\n', 'latin1'), Buffer.from(ROW)]),
      'Line 302: column [2]: the bytes are not UTF-8 text',
    ],
    [
      'in UTF-16',
      Buffer.from(`\ufeff${GOOD}`, 'utf16le'),
      'Line 1: column [1]: the bytes are not UTF-8 text',
    ],
    [
      'in UTF-16 without a mark',
      Buffer.from(GOOD, 'utf16le'),
      'Line 1: column [1]: the bytes are not UTF-8 text',
    ],
    [
      'that is a zip',
      Buffer.from('504b0304140000000800', 'hex'),
      'Line 1: column [1]: the bytes are not UTF-8 text',
    ],
    [
      'that ends within a character',
      Buffer.concat([Buffer.from(`${GOOD}1,Jos`), Buffer.from([0xc3])]),
      'Line 302: column [2]: the bytes are not UTF-8 text',
    ],
    [
      'in Latin-1 behind a quoted cell of two lines',
      Buffer.concat([
        Buffer.from('first_name;last_name\n"x;\ny";'),
        Buffer.from([0xe9]),
        Buffer.from(';1\n'),
      ]),
      'Line 3: column [2]: the bytes are not UTF-8 text',
    ],
    [
      'of lines that end by carriage returns, in the code of old Macs',
      Buffer.from('contact_kind,last_name,country_id\r1,Jansen,1\r1,Jos\x8e,1\r', 'latin1'),
      'Line 3: column [2]: the bytes are not UTF-8 text',
    ],
    [
      'of such lines behind a quoted cell with all line ends',
      Buffer.from('last_name,notes\rJansen,"a\nb\r\nc\rd"\rBakker,Jos\x8e\r', 'latin1'),
      'Line 6: column [2]: the bytes are not UTF-8 text',
    ],
    [
      'of JSON lines in Latin-1',
      Buffer.from('{}\n{"last_name":"Jos\u00e9"}\n', 'latin1'),
      'Line 2: the bytes are not UTF-8 text',
      NDJSON,
    ],
    ['of blanks', ' \n\n', 'Line 1: column [1] has no name'],
    [
      'of JSON lines that is cut off',
      `${'{"contact_kind":1}\n'.repeat(300)}{"contact_k`,
      'Line 301: the file is cut off',
      NDJSON,
    ],
    [
      'of JSON with one endless line',
      `{"notes":"${'x'.repeat(2 ** 21)}"}\n`,
      'Line 1: the row is larger than [1048576] bytes',
      NDJSON,
    ],
  ];
  for (const [what, body, error, type] of REFUSED)
    it(`${what} is refused, and nothing is written`, async () => {
      const job = await endOf(client, await sendImport(client, 'resource=contact', body, type));

      expect(job).to.include({ status: 'failed', error });
      expect(job.url).to.equal(undefined);
      expect((await client.get('/contact?count=1')).body.total).to.equal(0);
    });

  it('may begin with a byte order mark, have blank lines, and end its lines as Windows does', async () => {
    const own = await newClient();
    const csv = `\ufeff${HEADER}${ROW}\n1,"van\r\nDam",1\n${ROW}x,Jansen,1`.replaceAll(/\r?\n/g, '\r\n');

    const { rows, refused } = await importRows(own, 'resource=contact', csv);

    expect(rows.map(({ line, status }) => [line, status])).to.deep.equal([
      [2, 'created'],
      [4, 'created'],
      [6, 'created'],
      [7, 'refused'],
    ]);
    expect(refused).to.equal('contact_kind,last_name,country_id\nx,Jansen,1\n');
    const ndjson = `\ufeff{"contact_kind":1,"last_name":"A\\u2028\u2028B","country_id":1}`;
    const report = await importRows(own, 'resource=contact', ndjson, NDJSON);
    expect(report.summary).to.include({ rows: 1, created: 1 });
  });

  for (const [header, row] of [
    ['\n', '\r\n'],
    ['\r\n', '\n'],
    ['\r', '\r'],
  ])
    it(`may end its header by ${JSON.stringify(header)} and its rows by ${JSON.stringify(row)}`, async () => {
      const own = await newClient();
      const csv = `contact_kind,country_id,last_name${header}1,1,Jansen${row}1,1,"de Boer"${row}`;

      const { rows } = await importRows(own, 'resource=contact', csv);

      const contacts = (await own.get('/contact?sort=id')).data;
      expect(contacts.map(({ last_name }: { last_name: string }) => last_name)).to.deep.equal([
        'Jansen',
        'de Boer',
      ]);
      expect(rows.map(({ line }) => line)).to.deep.equal([2, 3]);
    });

  it('may end its lines by carriage returns and have line feeds within quotes', async () => {
    const own = await newClient();
    const csv = 'contact_kind,country_id,last_name,notes\r1,1,Jansen,"two\nlines"\r1,1,Bakker,one\r';

    const { rows } = await importRows(own, 'resource=contact', csv);

    const contacts = (await own.get('/contact?sort=id')).data;
    expect(contacts.map(({ notes }: { notes: string }) => notes)).to.deep.equal(['two\nlines', 'one']);
    expect(rows.map(({ line }) => line)).to.deep.equal([2, 4]);
  });

  for (const [separator, end] of [
    [',', '\n'],
    [',', '\r\n'],
    [',', '\r'],
    [';', '\n'],
  ] as const)
    it(`may come in chunks of 7 bytes with ${JSON.stringify([separator, end])}`, async () => {
      const own = await newClient();
      const cells = [
        ['external_id', 'contact_kind', 'last_name', 'country_id'],
        ['K-1', '1', 'Jansen', '1'],
        ['K-2', '1', 'de Boer', '1'],
      ];
      const csv = cells.map((row) => row.join(separator) + end).join('');

      await importHere(own, 'contact', csv, { format: 'csv', chunkBytes: 7 });

      const contacts = (await own.get('/contact?sort=id')).data;
      expect(contacts.map(({ external_id }: { external_id: string }) => external_id)).to.deep.equal([
        'K-1',
        'K-2',
      ]);
    });

  it('may have a header and no row', async () => {
    const { summary, rows } = await importRows(client, 'resource=contact', HEADER);

    expect(summary).to.include({ rows: 0, created: 0 });
    expect(rows).to.deep.equal([]);
  });

  it('is refused at once where its type, its size or its coding is wrong', async () => {
    const types = 'Content-Type must be one of [text/csv, application/x-ndjson]';
    for (const type of ['application/json', 'application/zip', 'text/plain', ''])
      expect(await sendImport(client, 'resource=contact', GOOD, type)).to.be.refused(415, types);
    expect(await sendImport(client, 'resource=contact', '')).to.be.refused(400, 'Empty body');
    const packed = await sendImport(client, 'resource=contact', GOOD, CSV, { 'content-encoding': 'gzip' });
    expect(packed).to.be.refused(400, 'Parameter invalid [Content-Encoding] value must be identity');
    expect((await sendImport(client, 'resource=contact', HEADER, 'Text/CSV; charset=utf-8')).status).to.equal(
      202,
    );
  });

  it('is refused by its length before it arrives, and an upload that ends early leaves nothing', async () => {
    const head = (length: number) =>
      `POST /v2/import?resource=contact HTTP/1.1\r\nHost: localhost\r\ntoken: ${client.garage.token}\r\n` +
      `Content-Type: text/csv\r\nContent-Length: ${length}\r\n\r\n`;
    const { port } = new URL(theService().url);
    const large = new RawConnection(Number(port)).send(head(LARGEST + 1));
    const early = new RawConnection(Number(port)).send(`${head(LARGEST)}${GOOD}`);

    const [answer] = await until(async () => large.answers().length > 0 && large.answers());
    expect([answer?.status, answer?.body.message]).to.deep.equal([
      413,
      'Body is larger than [268435456] bytes',
    ]);
    await until(async () => (await readdir(inStorage('uploads'))).length > 0);
    large.socket.destroy();
    early.socket.destroy();
    await until(async () => (await readdir(inStorage('uploads'))).length === 0);
  });
});
