// The bytes of a document: stored once, never shown in a record, downloaded by a signed address.
import { createHash } from 'node:crypto';
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const BYTES = Buffer.from('%PDF-1.7 é 😀\0\xff', 'latin1');
const CONTENT = BYTES.toString('base64');
const SHA256 = createHash('sha256').update(BYTES).digest('hex');

describe('a document', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  const add = (overrides = {}) =>
    build(client, 'document', {
      content: CONTENT,
      file_name: 'é 😀.pdf',
      mime_type: 'application/pdf',
      ...overrides,
    });

  it('keeps size and SHA-256, and returns the same bytes', async () => {
    const record = await add();
    const { data } = await client.get(`/document/info?id=${record.id}`);

    const response = await fetch(data.url);

    expect(record).to.include({ size: BYTES.length, sha256: SHA256 }).and.not.have.property('content');
    expect(data).to.include({
      file_name: 'é 😀.pdf',
      mime_type: 'application/pdf',
      size: BYTES.length,
      sha256: SHA256,
    });
    expect(Buffer.from(await response.arrayBuffer())).to.deep.equal(BYTES);
  });

  it('keeps its bytes if another document with the same bytes is deleted', async () => {
    const [one, two] = [await add(), await add()];

    expect((await client.del(`/document/${one.id}`)).status).to.equal(200);

    const { data } = await client.get(`/document/info?id=${two.id}`);
    expect((await fetch(data.url)).status).to.equal(200);
  });

  it("is sent as plain bytes if its type or its name can't stand in a header", async () => {
    for (const mime_type of ['text/plain; name="Überprüfung–1.txt"', '😀', 'a\nb', 'a b', '\u007f']) {
      const { id } = await add({ mime_type, file_name: '/' });
      const { data } = await client.get(`/document/info?id=${id}`);

      const response = await fetch(data.url);

      expect(data.mime_type).to.equal(mime_type);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('application/octet-stream');
      expect(response.headers.get('content-disposition')).to.match(/filename="[0-9a-f]{64}"/);
      expect(Buffer.from(await response.arrayBuffer())).to.deep.equal(BYTES);
    }
    const { id } = await add({ mime_type: 'text/plain; charset=utf-8' });
    const { data } = await client.get(`/document/info?id=${id}`);
    expect((await fetch(data.url)).headers.get('content-type')).to.equal('text/plain; charset=utf-8');
  });

  it('refuses another content later', async () => {
    const record = await add();

    const answer = await client.put(`/document/${record.id}`, {
      content: Buffer.from('other').toString('base64'),
    });

    expect(answer).to.be.refused(409, 'Cannot update [content]');
  });

  it('accepts its own content as no change', async () => {
    const record = await add();

    const answer = await client.put(`/document/${record.id}`, { content: CONTENT });

    expect(answer.status).to.equal(200);
    expect(answer.data).to.deep.equal(record);
  });

  it("without bytes can't be downloaded", async () => {
    const { id } = await build(client, 'document');

    expect(await client.get(`/document/info?id=${id}`)).to.be.refused(403, 'No external document found');
  });
});
