// The page behind a reset link: a form for the new password, outside /v2. A link works once.

import type Router from '@koa/router';
import type { Context } from 'koa';
import helmet from 'koa-helmet';
import { Problem } from '../../core/errors.ts';
import { Employee } from '../../core/resources/employee.ts';
import { isResetOpen, resetPassword } from '../../platform/auth/reset.ts';
import { networkOf } from '../../platform/auth/throttle.ts';
import type { Services } from '../../work/services.ts';
import { formBody } from '../middleware/form-body.ts';

const FORM_LIMIT = 16 * 1024;
export const RESET_PATH = '/password-reset';
/** Relative, because a proxy may serve the page under another path. */
const FORM_ADDRESS = RESET_PATH.slice(1);

/** The page has a form, and neither styles, scripts nor pictures. */
const POLICY = {
  defaultSrc: ["'none'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

export function addPasswordReset(router: Router, services: Services): void {
  // The headers about TLS come with the headers of every answer, and only if PUBLIC_URL has TLS.
  router.all(
    RESET_PATH,
    helmet({
      strictTransportSecurity: false,
      contentSecurityPolicy: { useDefaults: false, directives: POLICY },
    }),
  );
  router.get(RESET_PATH, async (ctx) => {
    const secret = String(ctx.query.token ?? '');
    const open = await isResetOpen(services.database, secret);
    show(ctx, open ? 200 : 410, open ? form(secret) : OVER);
  });
  router.post(RESET_PATH, formBody(FORM_LIMIT), (ctx) =>
    setPassword(services, ctx).catch((error) => {
      if (!(error instanceof Problem) || error.status !== 429) throw error;
      ctx.set(error.headers);
      show(ctx, 429, `<p>${error.message}. Try again later.</p>`);
    }),
  );
}

async function setPassword({ database, throttle, tokens }: Services, ctx: Context): Promise<void> {
  const fields = new URLSearchParams(String(ctx.request.rawBody ?? ''));
  const [secret = '', password = '', again = ''] = ['token', 'password', 'again'].map(
    (name) => fields.get(name) ?? '',
  );
  const network = networkOf(ctx.ip);
  await throttle.check([throttle.resets, network]);
  const wrong = unfit(password, again);
  if (wrong) return show(ctx, 400, form(secret, wrong));
  const done = await resetPassword(database, secret, password);
  if (done) tokens.forgetAll();
  else await throttle.resets.count(network);
  show(ctx, done ? 200 : 410, done ? '<p>The new password is set. This page can be closed.</p>' : OVER);
}

function unfit(password: string, again: string): string | undefined {
  const field = Employee.resource.fields.get('password');
  const found = field?.check('password', password, {}).violation;
  if (found?.code === 'value_too_long')
    return `The password must be at most ${field?.length} characters long.`;
  if (found) return 'The password must be at least 12 characters long.';
  return password === again ? undefined : 'The two passwords are not the same.';
}

const OVER = '<p>This link does not work any more. A new one can be asked for.</p>';

const form = (secret: string, wrong = '') => `
<form method="post" action="${FORM_ADDRESS}">
  ${wrong === '' ? '' : `<p role="alert">${wrong}</p>`}
  <input type="hidden" name="token" value="${html(secret)}">
  <p><label>New password (12 characters at least)<br><input type="password" name="password" autocomplete="new-password" required minlength="12" maxlength="200"></label></p>
  <p><label>The same again<br><input type="password" name="again" autocomplete="new-password" required minlength="12" maxlength="200"></label></p>
  <p><button>Set the password</button></p>
</form>`;

function show(ctx: Context, status: number, content: string): void {
  ctx.status = status;
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-store');
  ctx.body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>New password</title>
<h1>New password</h1>
${content}
</html>
`;
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const html = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
