import { clearFigures, writeFigures } from '../exhaustive/figures.ts';

/** Afterwards its part of the page about reliability is written from what the tests found. */
export function setup(): () => void {
  clearFigures();
  return writeFigures;
}
