// The test page at /swagger/ in a real browser, from a token to a list of orders, without other hosts and without an
// error in the console. Screenshots are left in test-output/.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { build } from '../support/build/build.ts';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { launchBrowser } from '../support/process/browser.ts';
import { PASSWORD, theService } from '../support/service/service.ts';

const PICTURES = fileURLToPath(new URL('../../../test-output/', import.meta.url));

describe('the test page', () => {
  let browser: Browser;
  let page: Page;
  let client: Client;
  let url: string;
  const requested: string[] = [];
  const complaints: string[] = [];

  before(async function () {
    this.timeout(60_000);
    await mkdir(PICTURES, { recursive: true });
    client = await newClient();
    // Not the name that the service publishes: the page has to work under every name that leads to it.
    url = theService().url.replace('127.0.0.1', 'localhost');
    await build(client, 'order');
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  after(() => browser?.close());

  const operation = (tag: string, id: string) => page.locator(`#operations-${tag}-${id}`);
  const picture = (name: string, of: Locator | Page = page) =>
    of.screenshot({ path: `${PICTURES}swagger-${name}.png` });

  /** Opens a tag and its operation. */
  async function open(tag: string, id: string): Promise<Locator> {
    const found = operation(tag, id);
    if (!(await found.isVisible())) await page.locator(`#operations-tag-${tag}`).click();
    await found.locator('.opblock-summary-control').click();
    return found;
  }

  /** Sends the request of an operation; its status and body as the page shows them. */
  async function execute(found: Locator): Promise<{ status: string; body: string }> {
    await found.getByRole('button', { name: 'Execute' }).click();
    const answer = found.locator('.live-responses-table');
    await answer.waitFor();
    return {
      status: (await answer.locator('.response-col_status').last().innerText()).trim(),
      body: await answer.locator('.response-col_description pre').first().innerText(),
    };
  }

  it('lists the operations', async () => {
    await page.goto(`${url}/swagger/`);
    await page.locator('.opblock-tag').first().waitFor();
    await picture('start');

    expect(await page.title()).to.equal('Forecourt');
    expect(await page.locator('.opblock-tag').count()).to.be.above(15);
    expect(await page.locator('.opblock-tag').first().innerText()).to.match(/^authentication/);
  }).timeout(60_000);

  it('shows the first steps above the rest of the introduction', async () => {
    const steps = page.locator('.info ol li');
    const rest = page.locator('.info details', { hasText: 'Idempotency-Key' });

    expect(await steps.count()).to.equal(3);
    expect(await rest.innerText()).not.to.include('Idempotency-Key');
    await rest.locator('summary').click();
    expect(await rest.innerText()).to.include('Idempotency-Key');
    await rest.locator('summary').click();
  }).timeout(60_000);

  it('gets a token, authorises with it, and lists orders', async () => {
    const { apiKey: api_key, username } = client.garage;
    const login = await open('authentication', 'authenticateByBody');
    await login.locator('textarea').fill(JSON.stringify({ api_key, username, password: PASSWORD }));
    const { status, body } = await execute(login);
    await picture('token', login);
    expect(status).to.equal('200');

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.modal-ux');
    await dialog.locator('input').fill(JSON.parse(body).token);
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await picture('authorise');
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await login.locator('.opblock-summary-control').click();
    const list = await open('order', 'list_order');
    const orders = await execute(list);
    await picture('orders', list);

    expect(await page.locator('.errors-wrapper').count(), 'errors on the page').to.equal(0);
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).to.equal('{}');
    expect(orders.status).to.equal('200');
    expect(JSON.parse(orders.body).data).to.have.length(1);
  }).timeout(60_000);

  it('shows a refusal with its code and text', async () => {
    const orders = await open('order', 'read_order');
    await orders.locator('tr[data-param-name="id"] input').fill('999999');
    const { status, body } = await execute(orders);
    await picture('refusal', orders);

    expect(status).to.match(/^404/);
    expect(JSON.parse(body)).to.include({ message: 'Field: [id] value: [999999] not found' });
  }).timeout(60_000);

  it('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.opblock-tag').first().scrollIntoViewIfNeeded();
    await picture('phone');
    const narrow = await page.evaluate(
      "[...document.querySelectorAll('.opblock-tag > small')].filter((text) => text.clientWidth < 200).length",
    );

    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
    expect(narrow, 'descriptions that are squeezed').to.equal(0);
    await page.setViewportSize({ width: 1280, height: 1000 });
  }).timeout(60_000);

  it('loads nothing from other hosts, and logs no error', () => {
    const hosts = new Set(
      requested.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).host),
    );

    expect([...hosts]).to.deep.equal([new URL(url).host]);
    // The browser itself reports the 404 that was asked for.
    expect(complaints.filter((text) => !text.includes('404'))).to.deep.equal([]);
  });

  it('is where the bare address leads, for GET and HEAD only', async () => {
    const ask = (method: string) => send(method, `${theService().url}/?from=browser`);

    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(method);
      expect([status, headers.get('location')], method).to.deep.equal([302, 'swagger/']);
    }
    expect(await ask('POST')).to.be.refused(400, 'Invalid endpoint: [/]');
    expect(await send('GET', `${theService().url}//`)).to.be.refused(400, 'Invalid endpoint: [//]');
  });

  it('is reached in no time, whatever the browser accepts', async () => {
    const accept = `"${'",'.repeat(7_000)}`;

    for (let time = 0; time < 300; time += 1) {
      const { status } = await send('GET', `${theService().url}/`, { headers: { accept } });
      expect(status).to.equal(302);
    }
  });

  it('is served with a policy for this host only', async () => {
    const start = await send('GET', `${theService().url}/swagger/`);

    expect(start.text).not.to.match(/https?:\/\//);
    expect(start.headers.get('content-security-policy'))
      .to.include("default-src 'self'")
      .and.not.match(/https?:|\*|unsafe/);
    for (const [, file] of start.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await send('GET', `${theService().url}/swagger/${file}`)).status, file).to.equal(200);
    }
    expect((await send('GET', `${theService().url}/swagger`)).headers.get('location')).to.equal('swagger/');
    expect(await send('GET', `${theService().url}/swagger/package.json`)).to.be.refused(
      400,
      'Invalid endpoint: [/swagger/package.json]',
    );
  });
});

describe('the files of the test page', () => {
  it('are refused as everything else is, and come whole whatever range is asked', async () => {
    const file = `${theService().url}/swagger/swagger-ui.css`;
    const ask = (headers: Record<string, string>) => send('GET', file, { headers });

    const whole = await ask({});
    const refused = await ask({ 'if-match': '"x"' });
    const beyond = await ask({ range: 'bytes=99999999-' });

    expect(refused).to.be.refused(412, 'Record was changed by another request');
    expect(refused.body.request_id).to.equal(refused.headers.get('x-request-id'));
    expect(refused.headers.get('x-frame-options')).to.equal('DENY');
    expect([beyond.status, beyond.text.length]).to.deep.equal([200, whole.text.length]);
  });
});
