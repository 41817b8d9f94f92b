import type { ColumnKind, ResultColumn } from '../query-result.ts';

/** Excel's own bound, the heading row counted. */
export const MOST_SHEET_ROWS = 1_048_576;

const MOST_CELL_CHARACTERS = 32_767;
const PART_CHARACTERS = 262_144;

// Places in `cellXfs` of the workbook's styles.
const STYLES: Record<ColumnKind, string> = {
  text: '',
  boolean: '',
  number: '',
  day: ' s="1"',
  instant: ' s="2"',
  approximate: ' s="3"',
};
const HEADING = ' s="4"';

const WIDTHS: Record<ColumnKind, number> = {
  text: 24,
  boolean: 10,
  number: 12,
  approximate: 12,
  day: 12,
  instant: 20,
};

/** The XML of one sheet: a heading that stays in view, then the rows, each value typed as its column. */
export async function* sheetXml(
  columns: readonly ResultColumn[],
  rows: AsyncIterable<readonly (string | null)[]> | Iterable<readonly (string | null)[]>,
): AsyncGenerator<string> {
  const widths = columns.map(({ name, kind }, index) => {
    const width = Math.min(60, Math.max(WIDTHS[kind], name.length + 4));
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
  let part = `<row>${columns.map(({ name }) => textCell(name, HEADING)).join('')}</row>`;
  const kinds = columns.map(({ kind }) => kind);
  for await (const row of rows) {
    part += `<row>${row.map((text, index) => cell(text, kinds[index] ?? 'text')).join('')}</row>`;
    if (part.length > PART_CHARACTERS) {
      yield part;
      part = '';
    }
  }
  yield `${part}</sheetData></worksheet>`;
}

function cell(text: string | null, kind: ColumnKind): string {
  if (text === null) return '<c/>';
  switch (kind) {
    case 'text':
      return textCell(text);
    case 'boolean':
      return `<c t="b"><v>${text === 'true' ? 1 : 0}</v></c>`;
    case 'number':
    case 'approximate':
      return isExact(text, kind) ? `<c${STYLES[kind]}><v>${text}</v></c>` : textCell(text);
    case 'day':
    case 'instant': {
      const serial = serialOf(text);
      return serial === null ? textCell(text) : `<c${STYLES[kind]}><v>${serial}</v></c>`;
    }
    default:
      return kind satisfies never;
  }
}

/** A sheet keeps 15 digits: what has more stays text, so that none is lost. */
function isExact(text: string, kind: ColumnKind): boolean {
  if (!Number.isFinite(Number(text))) return false;
  return kind === 'approximate' || text.replaceAll(/\D/g, '').length <= 15;
}

const DAY_MS = 86_400_000;
const DAY_ZERO = Date.UTC(1899, 11, 30);
// Excel takes 1900 for a leap year: only from 1 March 1900 on do its days agree with ours.
const FIRST_SERIAL = 61;

/** Days since the zero of spreadsheets, from `YYYY-MM-DD` or `YYYY-MM-DD hh:mm:ss`; null where they have none. */
function serialOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?$/.test(text)) return null;
  const instant = Date.parse(text.length === 10 ? text : `${text.replace(' ', 'T')}Z`);
  const serial = (instant - DAY_ZERO) / DAY_MS;
  return serial >= FIRST_SERIAL ? serial : null;
}

function textCell(text: string, style = ''): string {
  return `<c t="inlineStr"${style}><is><t xml:space="preserve">${cellText(text)}</t></is></c>`;
}

// What XML cannot hold is written as spreadsheets do, `_x0007_`, and so is text that looks like that already.
const UNWRITABLE = /(?![\t\n])[\p{Cc}\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu;

/** Text of a cell, escaped, cut where a cell ends. */
export function cellText(text: string): string {
  const whole = text.length > MOST_CELL_CHARACTERS ? `${text.slice(0, MOST_CELL_CHARACTERS - 1)}…` : text;
  return escapeXml(
    whole.replaceAll(
      UNWRITABLE,
      (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    ),
  );
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
