// Ends the build at once, and says why, where the packages that build and test the program are not installed.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const missing = Object.keys(devDependencies).filter((name) => !existsSync(join('node_modules', name)));
if (missing.length > 0) {
  const reason =
    process.env['NODE_ENV'] === 'production' ? ' NODE_ENV=production makes npm leave them out.' : '';
  console.error(
    `Packages that build and test answerlake are missing: ${missing.join(', ')}.${reason} Run: npm ci --include=dev`,
  );
  process.exitCode = 1;
}
