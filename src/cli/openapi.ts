// The command `forecourt openapi`.
import manifest from '../../package.json' with { type: 'json' };
import { PREFIX } from '../http/endpoint.ts';
import { endpoints } from '../http/endpoints/table.ts';
import { openApiDocument } from '../http/openapi/document.ts';
import { loadResources } from '../model/records/registry.ts';
import { command, withDefault } from './command.ts';

export const openapi = command({
  words: 'openapi',
  summary: 'Print the OpenAPI document of the service',
  options: { url: withDefault('--url <address>', 'the address of the service', 'http://127.0.0.1:8080') },
  example: 'openapi > openapi.json',
  offline: true,
  run: async (_base, { url }) => {
    await loadResources();
    const document = openApiDocument(endpoints(), { version: manifest.version, url: `${url}${PREFIX}` });
    return { json: document, text: JSON.stringify(document, null, 2) };
  },
});
