import { spawnSync } from 'node:child_process';
import { clearFigures } from './figures.ts';
import { renderReliability } from './render-reliability.ts';

/** As `npm run build`, so that child processes run what is shipped. */
const BUILD = [
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  ['scripts/render-sql.js'],
  ['scripts/bundle.js'],
  ['scripts/templates.js'],
];

/** Builds the program that child processes run; afterwards the page is rendered from the figures of the tests. */
export function setup(): () => void {
  for (const step of process.env['ANSWERLAKE_BUILT'] === '1' ? [] : BUILD) {
    const { status } = spawnSync(process.execPath, step, { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${step.join(' ')} ended with ${String(status)}`);
  }
  clearFigures();
  return renderReliability;
}
