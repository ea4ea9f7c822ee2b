// A forgotten password: the mail, its link, and the page behind the link.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, newClient, send } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { clearCounts, setByLink, userOf } from '../../support/client/garage-user.ts';
import { execute, select } from '../../support/database/sql.ts';
import { database, theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

/** Asks for a new password, and waits for the mail. */
async function mailedLink(client: Client) {
  const mail = theService().base.storage.mail;
  const earlier = await readdir(mail);
  const asked = await client.post('/authenticate/forgotpassword');
  const file = await until(async () =>
    (await readdir(mail)).find((name) => name.endsWith('.eml') && !earlier.includes(name)),
  );
  const text = (await readFile(join(mail, file), 'utf8')).replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return { asked, link: text.match(/http\S+token=[\w-]+/)?.[0] ?? '' };
}

/** Sends the form behind the link. */
function setPassword(link: string, password: string, again: string) {
  const token = new URL(link).searchParams.get('token') ?? '';
  const body = new URLSearchParams({ token, password, again });
  return fetch(link.replace(/\?.*/, ''), { method: 'POST', body });
}

describe('a forgotten password', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  it('mails nothing to an invalid address', async () => {
    const { owner } = client.garage;
    await execute(database(), 'UPDATE employees SET emailaddress = ? WHERE owner_id = ?', [
      'a@b.nl\r\nBcc: c@d.nl',
      owner,
    ]);

    expect((await client.post('/authenticate/forgotpassword')).status).to.equal(200);
    // A link would be made behind the answer.
    await until(async () => database().connections().used === 0);

    const rows = await select(database(), 'SELECT 1 FROM password_resets WHERE owner_id = ?', [owner]);
    expect(rows).to.deep.equal([]);
  });

  it('mails a link to a page, and tells nobody whether the username exists', async () => {
    const { asked, link } = await mailedLink(client);
    const unknown = await client.post('/authenticate/forgotpassword', { username: 'nobody' });

    const page = await fetch(link);

    expect(asked.body).to.deep.equal(unknown.body);
    expect(page.status).to.equal(200);
    expect(await page.text()).to.include('<form method="post" action="password-reset">');
    expect(page.headers.get('content-security-policy')).to.include("form-action 'self'");
    expect(page.headers.get('content-security-policy'))
      .to.include("default-src 'none'")
      .and.not.match(/https:|unsafe-inline|upgrade-insecure-requests/);
    expect(page.headers.get('strict-transport-security')).to.equal(null);
  });

  it('answers a user whose username was removed as any other', async () => {
    const user = await userOf(client);
    expect((await client.put(`/employee/${user.id}`, { username: null })).status).to.equal(200);

    const asked = await user.client.post('/authenticate/forgotpassword');
    const { data } = await user.client.get('/authenticate/fingerprint');

    const unknown = await client.post('/authenticate/forgotpassword', { username: 'nobody' });
    expect([asked.status, asked.body]).to.deep.equal([200, unknown.body]);
    expect(data).to.include({ username: '' });
  });

  it('makes the service read no token again, if the link does not work', async () => {
    const { tokens } = theService().service.services;
    const { token } = client.garage;

    // A token is kept for less than a second.
    await until(async () => {
      await clearCounts();
      const before = await tokens.find(token);
      expect((await setByLink('no link', 'another long password')).status).to.equal(410);
      return before !== undefined && (await tokens.find(token)) === before;
    });
  });

  it('mails a link that sets a new password once', async () => {
    const { link } = await mailedLink(client);
    const set = (password: string, again = password) => setPassword(link, password, again);

    expect((await set('short')).status).to.equal(400);
    expect((await set('another long password', 'not the same one')).status).to.equal(400);
    expect((await set('x'.repeat(201))).status).to.equal(400);
    expect((await set('x'.repeat(20_000))).status).to.equal(413);
    expect((await set('another long password')).status).to.equal(200);
    expect((await set('another long password')).status).to.equal(410);
    expect(await client.get('/order')).to.be.refused(401, 'Not authorized');
    const { apiKey: api_key, username } = client.garage;
    const login = new URLSearchParams({ api_key, username, password: 'another long password' });
    expect((await send('GET', `/authenticate?${login}`)).status).to.equal(200);
  });
});
