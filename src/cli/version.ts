import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PACKAGE_ROOT } from '../package-root.ts';

const packageFile = z.object({ version: z.string() });

/** Version of this program, from its package file. */
export function readVersion(): string {
  const text = readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8');
  return packageFile.parse(JSON.parse(text)).version;
}
