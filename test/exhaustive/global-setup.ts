import { execSync } from 'node:child_process';
import { clearFigures, writeFigures } from './figures.ts';

/** Builds the program that child processes run; afterwards the page is written from the figures of the tests. */
export function setup(): () => void {
  if (process.env['ANSWERLAKE_BUILT'] !== '1') execSync('npm run --silent build', { stdio: 'inherit' });
  clearFigures();
  return writeFigures;
}
