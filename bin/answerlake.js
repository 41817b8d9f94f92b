#!/usr/bin/env node
// In git, because npm links a program that exists: before the first build, this file says how to build.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = new URL('../dist/src/cli/main.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  process.stderr.write(`error: answerlake is not built: run npm ci && npm run build in ${folder}\n`);
  process.exitCode = 2;
}
