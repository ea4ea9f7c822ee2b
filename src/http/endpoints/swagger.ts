// The test page at /swagger/: Swagger UI, served from the files of its package. The bare address leads there.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type Router from '@koa/router';
import type { Context } from 'koa';
import helmet from 'koa-helmet';
import send from 'send';
import { problem } from '../../core/errors.ts';
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
  <link rel="stylesheet" href="forecourt.css">
  <link rel="icon" type="image/png" href="favicon-32x32.png" sizes="32x32">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="swagger-ui-bundle.js"></script>
  <script type="module" src="initializer.js"></script>
</body>
</html>
`;

// Swagger UI is made for wide screens: on a phone its columns push the texts into stripes and off the screen.
const STYLE = `.swagger-ui .response-col_links { display: none; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .info summary { cursor: pointer; font-weight: bold; }
.swagger-ui .scheme-container { padding: 16px 0; margin-bottom: 16px; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; box-sizing: border-box; }
  .swagger-ui .info { overflow-wrap: anywhere; }
  .swagger-ui input[type="text"].operation-filter-input { max-width: 100%; margin: 0 0 8px; }
  .swagger-ui .info ol { padding-left: 24px; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag > a { flex: 1; font-size: 18px; }
  .swagger-ui .opblock-tag > small { order: 1; flex: 1 0 100%; padding: 4px 0 0; }
  .swagger-ui .opblock-tag > div { display: none; }
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; gap: 8px; }
  .swagger-ui .opblock-body { overflow-x: auto; }
  .swagger-ui table.responses-table, .swagger-ui table.responses-table > tbody,
  .swagger-ui table.parameters, .swagger-ui table.parameters > tbody,
  .swagger-ui tr.response, .swagger-ui table.parameters tr,
  .swagger-ui td.response-col_status, .swagger-ui td.response-col_description,
  .swagger-ui td.parameters-col_name, .swagger-ui td.parameters-col_description { display: block; width: auto; }
  .swagger-ui .responses-table > thead, .swagger-ui table.parameters > thead { display: none; }
}
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
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
ui.specActions.updateUrl(description);
`;

const OWN_FILES = new Map([
  ['initializer.js', { type: 'application/javascript', text: INITIALIZER }],
  ['forecourt.css', { type: 'text/css', text: STYLE }],
]);

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
  // Koa's own redirect reads the Accept header, and takes the square of its length in time.
  for (const path of ['/', '/swagger'])
    router.get(path, (ctx) => {
      ctx.status = 302;
      ctx.set('Location', 'swagger/');
      ctx.body = 'Redirecting to swagger/.';
    });
  router.get('/swagger/', headers, (ctx) => {
    ctx.type = 'html';
    ctx.body = PAGE;
  });
  router.get('/swagger/:file', headers, (ctx) => serve(ctx, String(ctx.params.file)));
}

function serve(ctx: Context, file: string): Promise<void> | undefined {
  const own = OWN_FILES.get(file);
  if (own) {
    ctx.type = own.type;
    ctx.body = own.text;
    return undefined;
  }
  if (!FILES.has(file)) throw problem('endpoint_invalid', { endpoint: ctx.path });
  ctx.respond = false;
  ctx.res.statusCode = 200;
  return new Promise((resolve, reject) => {
    ctx.res.once('close', resolve);
    // Without a listener, `send` answers an error itself: with HTML, and without the headers of all answers.
    send(ctx.req, file, { root: FOLDER, acceptRanges: false })
      .on('error', (error) => reject(error.status === 412 ? problem('record_changed') : error))
      .pipe(ctx.res);
  });
}
