// How kubb makes its client: a file for each operation and each type.
import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  input: { path: '../openapi.json' },
  // Formatting 600 files takes longer than making them.
  output: { path: 'client', format: false, lint: false },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient()],
});
