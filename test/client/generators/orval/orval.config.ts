// How orval makes its client: one file, with fetch, and the base address of the description.
import { defineConfig } from 'orval';

export default defineConfig({
  garage: {
    input: '../openapi.json',
    output: { target: 'client/api.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
  },
});
