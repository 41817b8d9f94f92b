import { isNumeric, type Cell, type QueryResult } from '../query-result.ts';
import { roundedRows } from './rounded.ts';
import { formatTable } from './table.ts';

export const TEXT_FORMATS = ['table', 'json', 'csv', 'md'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];
export const RESULT_FORMATS = [...TEXT_FORMATS, 'xlsx'] as const;

/** A query's result as text that ends with a line break. `width` is the terminal's, for tables. */
export function formatResult(result: QueryResult, format: TextFormat, width?: number): string {
  const { rows } = result;
  switch (format) {
    case 'table':
      return formatResultTable(result, width === undefined ? {} : { width });
    case 'json':
      return formatJson(result);
    case 'csv':
      return [result.columns.map(({ name }) => csvText(name)), ...rows.map((row) => row.map(csvCell))]
        .map((fields) => `${fields.join(',')}\n`)
        .join('');
    case 'md':
      return formatMarkdown(result);
    default:
      return format satisfies never;
  }
}

/** A result as a table of lines. */
export function formatResultTable(
  result: QueryResult,
  options: { width?: number; nullText?: string },
): string {
  const table = formatTable({
    columns: result.columns.map(({ name, kind }) => ({ title: name, isNumber: isNumeric(kind) })),
    rows: roundedRows(result),
    ...options,
  });
  return `${table}\n`;
}

function formatJson({ columns, rows }: QueryResult): string {
  const names = columns.map(({ name }) => JSON.stringify(name));
  const objects = rows.map(
    (row) => `  {${row.map((cell, index) => `${names[index] ?? '""'}: ${cell.json}`).join(', ')}}`,
  );
  return objects.length === 0 ? '[]\n' : `[\n${objects.join(',\n')}\n]\n`;
}

/** NULL is nothing at all, empty text is `""`. */
function csvCell(cell: Cell): string {
  if (cell.text === null) return '';
  return cell.text === '' ? '""' : csvText(cell.text);
}

function csvText(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function formatMarkdown(result: QueryResult): string {
  const { columns } = result;
  const lines = [
    columns.map(({ name }) => markdownText(name)),
    columns.map(({ kind }) => (isNumeric(kind) ? '---:' : '---')),
    ...roundedRows(result).map((row) => row.map((text) => (text === null ? 'NULL' : markdownText(text)))),
  ];
  return lines.map((fields) => `| ${fields.join(' | ')} |\n`).join('');
}

function markdownText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;')
    .replaceAll(/\r\n|[\r\n]/g, '<br>');
}
