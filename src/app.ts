// Makes the Koa application with all routes. It does not listen; service.ts does.
import cors from '@koa/cors';
import Router from '@koa/router';
import Koa from 'koa';
import { problem } from './core/errors.ts';
import { describe } from './http/endpoints/description.ts';
import { serveFile } from './http/endpoints/files.ts';
import { addPasswordReset } from './http/endpoints/password-reset.ts';
import { addSwagger } from './http/endpoints/swagger.ts';
import { endpoints } from './http/endpoints/table.ts';
import { headers } from './http/middleware/headers.ts';
import { observe } from './http/middleware/observe.ts';
import { problems } from './http/middleware/problems.ts';
import { wellFormed } from './http/middleware/well-formed.ts';
import { routeEndpoints } from './http/router.ts';
import { varying } from './http/server/encoding.ts';
import type { Services } from './work/services.ts';

export function createApp(services: Services): Koa {
  const { config, log, metrics } = services;
  // Only the last address of X-Forwarded-For counts: the proxy added it. The caller can forge the others.
  const app = new Koa({ proxy: config.trustProxy, maxIpsCount: 1 });
  app.silent = true;
  app.use(observe(log, (seen) => metrics.onAnswer(seen)));
  const isShared = config.corsOrigins.length > 0;
  app.use(headers({ isHttps: services.publicUrl.startsWith('https:'), isShared }));
  app.use(problems(log));
  app.use(wellFormed());
  app.use(varying({ isShared }));
  if (isShared) app.use(allowOrigins(config.corsOrigins));
  const table = endpoints();
  app.use(describe(services, table));
  app.use(routeEndpoints(services, table));
  app.use(pages(services).routes());
  app.use((ctx) => {
    throw problem('endpoint_invalid', { endpoint: ctx.path });
  });
  return app;
}

/** Lets browsers call from these origins and read the headers that callers need. */
function allowOrigins(origins: readonly string[]): Koa.Middleware {
  const allow = cors({
    origin: (ctx) => origins.find((origin) => origin === ctx.get('Origin')) ?? '',
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowHeaders: ['token', 'content-type', 'if-match', 'if-none-match', 'idempotency-key', 'x-request-id'],
    exposeHeaders: [
      'etag',
      'location',
      'content-location',
      'x-request-id',
      'idempotent-replayed',
      'retry-after',
    ],
    maxAge: 600,
    // The answer to an error has the headers that are set before it, and a `Vary` of its own.
    keepHeadersOnError: false,
  });
  return (ctx, next) => {
    if (ctx.method === 'OPTIONS') {
      ctx.state.route = 'OPTIONS';
      ctx.set(ctx.state.headers);
    }
    return allow(ctx, next);
  };
}

/** The routes outside /v2. */
function pages(services: Services): Router {
  const router = new Router({ strict: true, sensitive: true });
  router.use(async (ctx, next) => {
    ctx.set(ctx.state.headers);
    try {
      await next();
    } finally {
      // Metrics count by the pattern of the route, because there are too many paths. The router sets routerPath.
      ctx.state.route = `${ctx.method} ${ctx.routerPath}`;
    }
  });
  router.get('/health/live', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/health/ready', async (ctx) => {
    const { database, storage, isDraining } = services;
    const [data, files] = await Promise.all([works(database.check()), works(storage.check())]);
    const status = isDraining() ? 'draining' : data && files ? 'ok' : 'unavailable';
    ctx.status = status === 'ok' ? 200 : 503;
    ctx.body = { status, database: data, storage: files };
  });
  router.get('/metrics', async (ctx) => {
    const { type, text } = await services.metrics.read();
    ctx.set('Content-Type', type);
    ctx.body = text;
  });
  router.get('/files/:name', (ctx) => serveFile(services, ctx, String(ctx.params.name)));
  addPasswordReset(router, services);
  addSwagger(router);
  return router;
}

const works = (check: Promise<unknown>): Promise<boolean> =>
  check.then(
    () => true,
    () => false,
  );
