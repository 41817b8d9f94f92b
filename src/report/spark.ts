import { linePath } from './draw-time.ts';
import { type Markup, markup } from './markup.ts';

/** A line of days without axes, broken where there is no figure. */
export function sparkLine(figures: readonly (number | null)[]): Markup | string {
  const known = figures.filter((figure) => figure !== null);
  if (known.length < 2) return '';
  const low = known.reduce((a, b) => Math.min(a, b));
  const span = known.reduce((a, b) => Math.max(a, b)) - low || 1;
  const step = 100 / (figures.length - 1);
  const path = linePath(
    figures,
    (day) => day * step,
    (value) => 26 - ((value - low) / span) * 24,
  );
  return markup`<svg class="spark" viewBox="0 0 1000 280" preserveAspectRatio="none" aria-hidden="true"><path d="${path}" fill="none" stroke="var(--ownsoft)" stroke-width="1.5" vector-effect="non-scaling-stroke"/></svg>`;
}
