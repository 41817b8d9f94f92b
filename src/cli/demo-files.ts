import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../day.ts';
import { PACKAGE_ROOT } from '../package-root.ts';

export const DEMO_KEY_VARIABLE = 'ANSWERLAKE_DEMO_KEY';

const SHIPPED = join(PACKAGE_ROOT, 'config', 'demo.yaml');

/** Writes the demo's configuration for one address and first day; gives its path. */
export function writeDemoConfig(folder: string, { url, start }: { url: string; start: Day }): string {
  const text = readFileSync(SHIPPED, 'utf8')
    .replace(/^# yaml-language-server.*\n/m, '')
    .replace(/(?<=^ {2}base_url: )\S+/m, () => url)
    .replace(/(?<=^ {2}start_date: )\S+/m, () => start);
  const path = join(folder, 'answerlake.yaml');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text);
  return path;
}
