import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from './package-root.ts';

/** Version of this program, from its package file. */
export function readVersion(): string {
  const text = readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8');
  const content: unknown = JSON.parse(text);
  if (typeof content === 'object' && content !== null && 'version' in content) return String(content.version);
  throw new Error(`package.json of ${PACKAGE_ROOT} has no version`);
}
