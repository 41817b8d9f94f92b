import { execSync } from 'node:child_process';
import { clearFigures } from './figures.ts';
import { renderReliability } from './render-reliability.ts';

/** Builds the program that child processes run; afterwards the page is rendered from the figures of the tests. */
export function setup(): () => void {
  if (process.env['ANSWERLAKE_BUILT'] !== '1') execSync('npm run --silent build', { stdio: 'inherit' });
  clearFigures();
  return renderReliability;
}
