import type { Drawing } from './chart.ts';
import { ink } from './ink.ts';
import { fitText } from './label.ts';
import { markup } from './markup.ts';
import type { Token } from './palette.ts';

export interface BarRow {
  label: string;
  value: number;
  valueText: string;
  /** Value of the period before, drawn as a tick. */
  previous: number | null;
  token: Token;
  tip: string;
}

const ROW = 26;
const BAR = 14;
const FONT = 12;
/** Height of a label that stands above its bar. */
const LABEL = 12;

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Whether labels that differ look the same once they are cut. */
function areAlike(labels: readonly string[], cut: readonly string[]): boolean {
  return new Set(cut).size < new Set(labels).size;
}

/** Bars from most to least, value right; the label left or, where labels would be cut alike, above. A tick marks the period before. */
export function drawBars(rows: readonly BarRow[], width: number): Drawing {
  const beside = Math.round(width * (width < 420 ? 0.38 : 0.42));
  const isCutAlike = areAlike(
    rows.map(({ label }) => label),
    rows.map(({ label }) => fitText(label, beside - 12, FONT)),
  );
  const left = isCutAlike ? 0 : beside;
  const height = isCutAlike ? ROW + LABEL : ROW;
  const right = 74;
  const inner = width - left - right;
  const most = rows.reduce((a, row) => Math.max(a, row.value, row.previous ?? 0), 0) || 1;
  const marks = rows.map((row, index) => {
    const top = index * height + height - BAR - (ROW - BAR) / 2;
    const length = Math.max(1, (row.value / most) * inner);
    const before = row.previous === null ? null : left + (row.previous / most) * inner;
    const tick =
      before === null
        ? ''
        : markup`<path d="M${rounded(before)},${top - 3}v${BAR + 6}" stroke="${ink('ink')}" stroke-width="2"/>`;
    const end = Math.max(left + length, before ?? 0) + 7;
    const label = isCutAlike
      ? markup`<text x="0" y="${top - 6}" fill="${ink('ink')}">${fitText(row.label, width, FONT)}</text>`
      : markup`<text x="${left - 8}" y="${top + 11}" text-anchor="end" fill="${ink('ink')}">${fitText(row.label, left - 12, FONT)}</text>`;
    return markup`<g class="tip"><title>${row.tip}</title><rect x="0" y="${index * height}" width="${width}" height="${height}" fill="transparent"/>${label}<rect x="${left}" y="${top}" width="${rounded(length)}" height="${BAR}" rx="2" fill="${ink(row.token)}"/>${tick}<text x="${rounded(end)}" y="${top + 11}">${row.valueText}</text></g>`;
  });
  return { width, height: rows.length * height + 4, marks: markup`${marks}` };
}

export interface StepRow {
  label: string;
  date: string;
  before: number;
  after: number;
  changeText: string;
  /** Its days are partly those of the row above. */
  sharesDays: boolean;
  token: Token;
  tip: string;
}

const STEP = 40;

/** A step from before to after on a shared scale, the label above it. */
export function drawSteps(rows: readonly StepRow[], width: number): Drawing {
  const right = 64;
  const left = 8;
  const inner = width - left - right;
  const values = rows.flatMap(({ before, after }) => [before, after]);
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const span = values.reduce((a, b) => Math.max(a, b), -Infinity) - low || 1;
  const x = (value: number): number => left + ((value - low) / span) * inner;
  const marks = rows.map((row, index) => {
    const y = index * STEP + 28;
    const dateWidth = 88;
    const from = x(row.before);
    const to = x(row.after);
    const join = row.sharesDays
      ? markup`<path d="M1.5,${y - STEP}V${y}" stroke="${ink('muted')}" stroke-width="1.5"/>`
      : '';
    const head = to >= from ? -6 : 6;
    const arrow =
      Math.abs(to - from) < 4
        ? markup`<circle cx="${rounded(to)}" cy="${y}" r="3.5" fill="${ink(row.token)}"/>`
        : markup`<path d="M${rounded(from)},${y}H${rounded(to + head / 2)}" stroke="${ink(row.token)}" stroke-width="3"/><path d="M${rounded(to)},${y}l${head},-5v10Z" fill="${ink(row.token)}"/><circle cx="${rounded(from)}" cy="${y}" r="3.5" fill="${ink('card')}" stroke="${ink(row.token)}" stroke-width="2"/>`;
    return markup`<g class="tip"><title>${row.tip}</title><rect x="0" y="${index * STEP}" width="${width}" height="${STEP}" fill="transparent"/><text x="${left}" y="${index * STEP + 14}">${row.date}</text><text x="${left + dateWidth}" y="${index * STEP + 14}" fill="${ink('ink')}">${fitText(row.label, width - left - dateWidth - 8, FONT)}</text><path d="M${left},${y}H${width - right}" stroke="${ink('faint')}"/>${join}${arrow}<text x="${width - 4}" y="${y + 4}" text-anchor="end" fill="${ink(row.token)}" font-weight="600">${row.changeText}</text></g>`;
  });
  return { width, height: rows.length * STEP + 4, marks: markup`${marks}` };
}
