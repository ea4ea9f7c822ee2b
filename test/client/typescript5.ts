// Preloaded into openapi-typescript, which works through the JavaScript API of TypeScript 5: TypeScript 7, which
// compiles this project under the name `typescript`, has none.
import { register } from 'node:module';

const resolve = `export const resolve = (name, context, next) =>
  next(name === 'typescript' ? 'typescript5' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(resolve)}`);
