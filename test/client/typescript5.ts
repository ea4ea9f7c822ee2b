// Preloaded into openapi-typescript, which needs the JavaScript API of TypeScript 5. TypeScript 7, the compiler of this
// project, has no such API.
import { register } from 'node:module';

const resolve = `export const resolve = (name, context, next) =>
  next(name === 'typescript' ? 'typescript5' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(resolve)}`);
