import { clearFigures } from '../exhaustive/figures.ts';
import { renderReliability } from '../exhaustive/render-reliability.ts';

/** Afterwards its part of the page about reliability is rendered from what the tests found. */
export function setup(): () => void {
  clearFigures();
  return renderReliability;
}
