// Prints the YAML files of `sql` as JSON in `dist/sql`, which the program reads.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

for (const file of readdirSync('sql', { recursive: true }).filter((name) => name.endsWith('.yaml'))) {
  const target = join('dist', 'sql', file.replace(/yaml$/, 'json'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, JSON.stringify(parse(readFileSync(join('sql', file), 'utf8'))));
}
