// Bundles the report's page script for the browser, and lets the built program be started by its name.

import { chmodSync } from 'node:fs';
import { build } from 'rolldown';

await build({
  input: 'src/report/page-script.js',
  platform: 'browser',
  logLevel: 'warn',
  transform: { target: 'es2022' },
  output: { file: 'dist/src/report/page-script.js', format: 'iife', minify: true },
});
// npm sets it only when it links, and a rebuild writes a new file.
chmodSync('dist/src/cli/main.js', 0o755);
