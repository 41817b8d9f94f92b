// Bundles the report's page script for the browser, and packs its style sheet.

import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'rolldown';

await build({
  input: 'src/report/page-script.js',
  platform: 'browser',
  logLevel: 'warn',
  transform: { target: 'es2022' },
  output: { file: 'dist/src/report/page-script.js', format: 'iife', minify: true },
});
const style = readFileSync('src/report/page.css', 'utf8');
writeFileSync(
  'dist/src/report/page.css',
  style.replaceAll(/([{},:;]?)\s*\n\s*/g, (_, mark) => mark || ' '),
);
