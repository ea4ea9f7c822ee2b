// The baseline on Koa and @koa/router, written as a small application would be.
import Router from '@koa/router';
import Koa from 'koa';
import { compressed } from './compress.ts';
import { type Caller, Refused } from './database.ts';
import { login } from './login.ts';
import { addLine, changeLine, deleteLine } from './order-lines.ts';
import { getOrder, listOrders, type Query } from './orders.ts';
import { readJson, start } from './start.ts';

/** The only path without a token. */
const LOGIN = '/v2/authenticate';

start((baseline) => {
  const app = new Koa<{ caller: Caller }>();
  app.use(async (ctx, next) => {
    try {
      if (ctx.path !== LOGIN) ctx.state.caller = await baseline.caller(ctx.headers.token);
      await next();
      const packed = await compressed(String(ctx.body), ctx.get('accept-encoding'));
      ctx.vary('Accept-Encoding');
      if (!packed) return;
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = packed;
    } catch (error) {
      ctx.status = error instanceof Refused ? error.status : 500;
      ctx.body = { errorCode: ctx.status, message: String(error) };
    }
  });
  const router = new Router<{ caller: Caller }>({ prefix: '/v2' });
  router.post('/authenticate', async (ctx) => {
    ctx.type = 'application/json';
    ctx.body = await login(baseline, await readJson(ctx.req), ctx.ip);
  });
  router.get('/order', async (ctx) => {
    ctx.type = 'application/json';
    ctx.body = await listOrders(baseline, ctx.state.caller.owner, ctx.query as Query);
  });
  router.get('/order/:id', async (ctx) => {
    ctx.type = 'application/json';
    ctx.body = await getOrder(baseline, ctx.state.caller.owner, String(ctx.params.id));
  });
  router.post('/orderline', async (ctx) => {
    ctx.type = 'application/json';
    ctx.status = 201;
    ctx.body = await addLine(baseline, ctx.state.caller, await readJson(ctx.req));
  });
  router.put('/orderline/:id', async (ctx) => {
    ctx.type = 'application/json';
    ctx.body = await changeLine(baseline, ctx.state.caller, String(ctx.params.id), await readJson(ctx.req));
  });
  router.delete('/orderline/:id', async (ctx) => {
    ctx.type = 'application/json';
    ctx.body = await deleteLine(baseline, ctx.state.caller, String(ctx.params.id));
  });
  app.use(router.routes());
  return app.callback();
});
