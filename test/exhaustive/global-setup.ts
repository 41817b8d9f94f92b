import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { clearFigures } from './figures.ts';
import { renderReliability } from './render-reliability.ts';

/** Builds the program that child processes run; afterwards the page is rendered from what the tests found. */
export function setup(): () => void {
  // Types are judged by the type check; what is emitted is what child processes run.
  const tsc = resolve('node_modules/typescript/bin/tsc');
  spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  clearFigures();
  return renderReliability;
}
