// The test page at /swagger/: Swagger UI, served from the files of its package.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type Router from '@koa/router';
import type { Context } from 'koa';
import helmet from 'koa-helmet';
import send from 'send';
import { problem } from '../../errors.ts';
import { PREFIX } from '../endpoint.ts';

// The folder of the package's files. Importing the package would keep its whole bundle in memory.
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

// The page sends requests to the host in its own address, which may differ from PUBLIC_URL.
const INITIALIZER = `// An earlier version of this page kept the token here.
localStorage.removeItem('authorized');
const description = '..${PREFIX}/openapi.json';
const spec = await (await fetch(description)).json();
const ui = SwaggerUIBundle({
  spec: { ...spec, servers: [{ url: new URL('..${PREFIX}', location.href).href }] },
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  displayRequestDuration: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
ui.specActions.updateUrl(description);
`;

export function addSwagger(router: Router): void {
  // Scripts, styles and connections come from this host only. Pictures in the styles are data: addresses.
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        formAction: ["'none'"],
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
