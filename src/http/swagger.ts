// The test page at /swagger/: Swagger UI from its package's own files, nothing from outside.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type Router from '@koa/router';
import type { Context } from 'koa';
import helmet from 'koa-helmet';
import send from 'send';
import { problem } from '../errors.ts';
import { PREFIX } from './endpoint.ts';

// Where its files are; the package itself is never loaded, since it would keep the whole bundle in memory.
const FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const FILES = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'favicon-16x16.png']);

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Forecourt</title>
  <link rel="stylesheet" href="swagger-ui.css">
  <link rel="icon" type="image/png" href="favicon-32x32.png" sizes="32x32">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="swagger-ui-bundle.js"></script>
  <script type="module" src="initializer.js"></script>
</body>
</html>
`;

// Requests go to the service by the name under which the page was opened, which its published name need not be.
const INITIALIZER = `const description = '..${PREFIX}/openapi.json';
const spec = await (await fetch(description)).json();
const ui = SwaggerUIBundle({
  spec: { ...spec, servers: [{ url: new URL('..${PREFIX}', location.href).href }] },
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
ui.specActions.updateUrl(description);
`;

export function addSwagger(router: Router): void {
  // Its styles are set by script, which counts as inline; scripts and connections are this host's only.
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: false,
  });
  router.get('/swagger', (ctx) => ctx.redirect('swagger/'));
  router.get('/swagger/', headers, (ctx) => {
    ctx.type = 'html';
    ctx.body = PAGE;
  });
  router.get('/swagger/:file', headers, (ctx) => serve(ctx, String(ctx.params.file)));
}

function serve(ctx: Context, file: string): Promise<void> | undefined {
  if (file === 'initializer.js') {
    ctx.type = 'application/javascript';
    ctx.body = INITIALIZER;
    return undefined;
  }
  if (!FILES.has(file)) throw problem('endpoint_invalid', { endpoint: ctx.path });
  ctx.respond = false;
  ctx.res.statusCode = 200;
  return new Promise((resolve) => {
    ctx.res.once('close', resolve);
    send(ctx.req, file, { root: FOLDER }).pipe(ctx.res);
  });
}
