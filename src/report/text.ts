import { addDays, dayNumber, dayOf, type Day } from '../day.ts';
import type { ChartData } from './read-projects.ts';

// Control characters are not allowed in XML; direction marks would turn the text around them.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]+/gu;

/** A name on one line, without control characters and lone surrogates. */
export function plainLabel(text: string | null, whenEmpty = '(no name)'): string {
  const plain = (text ?? '').replaceAll(UNPRINTABLE, ' ').replaceAll(/\s+/g, ' ').trim();
  return plain === '' ? whenEmpty : plain;
}

/** Width in pixels of text in the widest of the common sans-serif faces, DejaVu Sans. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width * fontSize;
}

function characterWidth(character: string): number {
  if (/[iljI'.,| ]/.test(character)) return 0.32;
  if (/[tfr:;!()[\]{}/-]/.test(character)) return 0.41;
  if (/[mMW@%]/.test(character)) return 0.99;
  if (/[CDGHNOQU&w]/.test(character)) return 0.8;
  if (/[ABKRVX]/.test(character)) return 0.7;
  if (/[\u1100-\u{10FFFF}]/u.test(character)) return 1.05;
  return 0.62;
}

/** As much of the text as fits into `width` pixels, with an ellipsis when cut. */
export function fitText(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  const room = width - fontSize * 0.8;
  let used = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    used += textWidth(segment, fontSize);
    if (used > room) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines no wider than `width` pixels, cut between words. */
export function wrapText(text: string, width: number, fontSize: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? null : `${lines.at(-1) ?? ''} ${word}`;
    if (longer === null || textWidth(longer, fontSize) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** A cell of a table without a figure. */
export const NO_FIGURE = '–';

/** A count with thousands separators. */
export function formatCount(value: number | null): string {
  return value === null ? NO_FIGURE : Math.round(value).toLocaleString('en-GB');
}

/** A count short enough for a card: 12,345 or 1.23 M. */
export function formatShortCount(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(2)} bn`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)} M`;
  return formatCount(value);
}

/** A score on an unknown scale: one decimal, more on scales of small values (`like` is one such value). */
export function formatScore(value: number | null, like: number | null = value): string {
  if (value === null) return NO_FIGURE;
  const size = Math.abs(like ?? value);
  return value.toFixed(size >= 2 || size === 0 ? 1 : size >= 0.2 ? 2 : 3).replace(/^-/, '−');
}

export function formatPercent(value: number | null): string {
  return value === null ? NO_FIGURE : `${value.toFixed(1).replace(/^-/, '−')}%`;
}

/** With a sign; a true minus, so that it reads well beside figures. */
export function withSign(value: number, format: (size: number) => string): string {
  const text = format(Math.abs(value));
  if (/^[0.,\s%]*$/.test(text.replace(/[A-Za-z]+/g, ''))) return `±${text}`;
  return `${value < 0 ? '−' : '+'}${text}`;
}

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });

/** `November`. */
const monthOf = (day: Day): string => MONTH.format(new Date(day));

/** `19 Nov 2026`. */
export function formatDay(day: Day): string {
  return `${formatShortDay(day)} ${day.slice(0, 4)}`;
}

/** `19 Nov`. */
export function formatShortDay(day: Day): string {
  return `${Number(day.slice(8, 10))} ${monthOf(day).slice(0, 3)}`;
}

/** `22 Aug – 19 Nov 2026`; the first year only where it differs, and one day as a day. */
export function formatDays(start: Day, end: Day): string {
  if (start === end) return formatDay(end);
  const first = start.slice(0, 4) === end.slice(0, 4) ? formatShortDay(start) : formatDay(start);
  return `${first} – ${formatDay(end)}`;
}

/** The days of a window, for a title: `October 2026` where they are a calendar month. */
export function formatWindow(start: Day, end: Day): string {
  const isMonth =
    start.endsWith('-01') && addDays(end, 1).endsWith('-01') && dayNumber(end) - dayNumber(start) < 31;
  return isMonth ? `${monthOf(start)} ${start.slice(0, 4)}` : formatDays(start, end);
}

/** `21 Nov 2026, 01:20 UTC` of an instant in milliseconds. */
export function formatInstant(instantMs: number): string {
  return `${formatDay(dayOf(instantMs))}, ${new Date(instantMs).toISOString().slice(11, 16)} UTC`;
}

/** A young warehouse may have figures without a mean. */
export const NO_MEAN = 'Not enough days yet for a 7-day average.';

const NO_DAYS = 'There are no figures for these days.';

export function noDataOf(data: ChartData, endpoint: string, otherwise = NO_DAYS): string {
  return data.notEnabled.includes(endpoint) ? 'Not enabled for this project.' : otherwise;
}

/** Markup that needs no further escaping. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Child = Markup | string | number | readonly Child[];

/** Characters that are not allowed between tags and inside double quotes. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Template of markup: every value is escaped unless it is markup itself. */
export function markup(parts: TemplateStringsArray, ...values: readonly Child[]): Markup {
  return new Markup(parts.map((part, index) => part + childText(values[index] ?? '')).join(''));
}

function childText(child: Child): string {
  if (child instanceof Markup) return child.text;
  if (typeof child === 'object') return child.map(childText).join('');
  return String(child).replaceAll(/[&<>"']/g, (one) => ENTITIES[one] ?? one);
}

/** A table whose rows begin with a heading. */
export function tableMarkup(columns: readonly string[], rows: readonly (readonly Child[])[]): Markup {
  const head = columns.map((column) => markup`<th scope="col">${column}</th>`);
  const body = rows.map(
    ([first = '', ...cells]) =>
      markup`<tr><th scope="row">${first}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>`,
  );
  return markup`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/** The parts of a change in words. */
export const PART_WORDS: Readonly<Record<string, string>> = {
  prompts_added: 'New prompts',
  prompts_removed: 'Removed prompts',
  monitors: 'Changed monitors',
  sampling: 'Prompts asked more or less often',
  models: 'Mix of models',
  prompts_and_models: 'New prompts and models',
  unexplained: 'Unlisted prompts',
  real_change: 'Real change',
};
