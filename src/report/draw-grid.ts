import type { Drawing } from './chart.ts';
import { ink } from './ink.ts';
import { fitText, wrapText } from './label.ts';
import { markup } from './markup.ts';
import { formatPercent } from './numbers.ts';

export interface GridRow {
  name: string;
  isOwn: boolean;
  cells: readonly (number | null)[];
}

const CELL = 27;
const FONT = 12;
const HEAD_FONT = 11;
const HEATS = ['heat0', 'heat1', 'heat2', 'heat3', 'heat4', 'heat5'] as const;

/** Cells of brands by models, darker for more; an empty cell has no figure. */
export function drawGrid(columns: readonly string[], rows: readonly GridRow[], width: number): Drawing {
  const left = Math.min(180, Math.round(width * 0.3));
  const step = (width - left) / Math.max(1, columns.length);
  const heads = columns.map((name) => wrapText(name, step - 6, HEAD_FONT).slice(0, 3));
  const top = heads.reduce((most, lines) => Math.max(most, lines.length), 1) * 13 + 8;
  const most = rows.flatMap(({ cells }) => cells).reduce<number>((a, cell) => Math.max(a, cell ?? 0), 0) || 1;
  const heading = heads.map((lines, column) =>
    lines.map(
      (line, index) =>
        markup`<text x="${Math.round(left + (column + 0.5) * step)}" y="${top - 8 - (lines.length - 1 - index) * 13}" text-anchor="middle" font-size="${HEAD_FONT}">${fitText(line, step - 2, HEAD_FONT)}</text>`,
    ),
  );
  const body = rows.map((row, index) => {
    const y = top + index * CELL;
    const cells = columns.map((column, place) => {
      const value = row.cells[place] ?? null;
      const heat = Math.min(5, Math.floor(((value ?? 0) / most) * 6));
      const x = Math.round(left + place * step);
      const text =
        value === null
          ? markup`<text x="${Math.round(x + step / 2)}" y="${y + 17}" text-anchor="middle">·</text>`
          : markup`<text x="${Math.round(x + step / 2)}" y="${y + 17}" text-anchor="middle" fill="${ink(`on${HEATS[heat] ?? 'heat0'}`)}">${value.toFixed(step < 44 ? 0 : 1)}</text>`;
      return markup`<g class="tip"><title>${row.name}, ${column}: ${value === null ? 'no figure' : formatPercent(value)}</title><rect x="${x + 1}" y="${y + 1}" width="${Math.max(1, Math.round(step) - 2)}" height="${CELL - 2}" rx="3" fill="${ink(value === null ? 'faint' : (HEATS[heat] ?? 'heat0'))}"/>${text}</g>`;
    });
    const weight = row.isOwn ? markup` font-weight="700"` : '';
    return markup`<text x="0" y="${y + 17}" fill="${ink('ink')}"${weight}>${fitText(row.name, left - 10, FONT)}</text>${cells}`;
  });
  return { width, height: top + rows.length * CELL + 2, marks: markup`${heading}${body}` };
}
