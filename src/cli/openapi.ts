// The command `forecourt openapi`.
import manifest from '../../package.json' with { type: 'json' };
import { command, withDefault } from './command.ts';

export const openapi = command({
  words: 'openapi',
  summary: 'Print the OpenAPI document of the service',
  options: { url: withDefault('--url <address>', 'the address of the service', 'http://127.0.0.1:8080') },
  example: 'openapi > openapi.json',
  offline: true,
  run: async (_base, { url }) => {
    const { PREFIX } = await import('../http/endpoint.ts');
    const { endpoints } = await import('../http/endpoints/table.ts');
    const { openApiDocument } = await import('../http/openapi/document.ts');
    const { loadResources } = await import('../core/model/records/registry.ts');
    await loadResources();
    const document = openApiDocument(endpoints(), { version: manifest.version, url: `${url}${PREFIX}` });
    return { json: document, text: JSON.stringify(document, null, 2) };
  },
});
