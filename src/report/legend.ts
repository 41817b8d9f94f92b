import type { LegendItem } from './chart.ts';
import { textWidth } from './label.ts';
import { markup, type Markup } from './markup.ts';
import { ink } from './ink.ts';

/** A sample of the mark, 18 by 12 pixels. */
function sample({ shape, token }: LegendItem): Markup {
  const colour = ink(token);
  switch (shape) {
    case 'line':
      return markup`<path d="M1,6H17" stroke="${colour}" stroke-width="3" stroke-linecap="round" fill="none"/>`;
    case 'thin':
      return markup`<path d="M1,6H17" stroke="${colour}" stroke-width="1.5" fill="none"/>`;
    case 'box':
      return markup`<rect x="3" y="1" width="12" height="10" rx="2" fill="${colour}"/>`;
    case 'faded':
      return markup`<rect x="3.5" y="1.5" width="11" height="9" rx="2" fill="${colour}" fill-opacity="0.4" stroke="${colour}"/>`;
    case 'tick':
      return markup`<rect x="8" y="0" width="2.5" height="12" fill="${colour}"/>`;
    case 'diamond':
      return markup`<path d="M9,1L14,6L9,11L4,6Z" fill="${colour}"/>`;
    case 'up':
      return markup`<path d="M9,1L14,10.5H4Z" fill="${colour}"/>`;
    case 'down':
      return markup`<path d="M9,11L14,1.5H4Z" fill="${colour}"/>`;
    default:
      return shape satisfies never;
  }
}

/** What the marks mean, for a page. */
export function legendList(items: readonly LegendItem[]): Markup {
  if (items.length === 0) return markup``;
  const entries = items.map(
    (item) =>
      markup`<li><svg width="18" height="12" viewBox="0 0 18 12" aria-hidden="true">${sample(item)}</svg>${item.label}</li>`,
  );
  return markup`<ul class="legend">${entries}</ul>`;
}

const FONT_SIZE = 12;
const LINE = 20;

/** The same for a picture of its own, in as many lines as `width` needs. */
export function legendRows(items: readonly LegendItem[], width: number): { rows: Markup; height: number } {
  let x = 0;
  let y = 0;
  const entries = items.map((item) => {
    const length = 24 + textWidth(item.label, FONT_SIZE) + 18;
    if (x > 0 && x + length > width) {
      x = 0;
      y += LINE;
    }
    const entry = markup`<g transform="translate(${x.toFixed(1)},${y})">${sample(item)}<text x="24" y="10" font-size="${FONT_SIZE}" fill="${ink('muted')}">${item.label}</text></g>`;
    x += length;
    return entry;
  });
  return { rows: markup`${entries}`, height: items.length === 0 ? 0 : y + LINE };
}
