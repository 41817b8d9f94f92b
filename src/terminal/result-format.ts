import type { Cell, QueryResult } from '../query-result.ts';
import { formatTable } from './table.ts';

export const RESULT_FORMATS = ['table', 'json', 'csv', 'md'] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

/** A query's result as text that ends with a line break. `width` is the terminal's, for tables. */
export function formatResult(result: QueryResult, format: ResultFormat, width?: number): string {
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
  { columns, rows }: QueryResult,
  options: { width?: number; nullText?: string },
): string {
  const table = formatTable({
    columns: columns.map(({ name, isNumber }) => ({ title: name, isNumber })),
    rows: rows.map((row) => row.map(({ text }) => text)),
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

function formatMarkdown({ columns, rows }: QueryResult): string {
  const lines = [
    columns.map(({ name }) => markdownText(name)),
    columns.map(({ isNumber }) => (isNumber ? '---:' : '---')),
    ...rows.map((row) => row.map((cell) => (cell.text === null ? 'NULL' : markdownText(cell.text)))),
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
