import { existsSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf, usageError, visibleText } from '../errors.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { amount, counted } from '../quantity.ts';
import { decodeText } from '../files.ts';
import type { Cell } from '../warehouse/query-result.ts';
import { staleWords } from '../warehouse/freshness.ts';
import { formatMarkdown, formatResultTable, streamResult } from './terminal/result-format.ts';
import { defined, type CommandContext } from './host.ts';
import { ageJson } from './status.ts';
import { valueFlag, someText, switchFlag, wordFlag } from './flags.ts';
import { requireOtherFile, writeOutput } from './output-file.ts';

const FORMATS = ['table', 'json', 'csv', 'tsv', 'md', 'xlsx'] as const;
const DELIMITERS = { csv: ',', tsv: '\t' } as const;

const flagSchema = z.strictObject({
  format: valueFlag(
    '<format>',
    'json, csv, tsv, md, xlsx or table; default: by --output, else table',
    wordFlag(FORMATS),
  ),
  output: valueFlag('<file>', 'write to this file instead of stdout; xlsx needs it', someText),
  bom: switchFlag('CSV and TSV for Excel: byte order mark, and no text runs as a formula'),
  delimiter: valueFlag(
    '<mark>',
    'separator of CSV values: , (default), ; or |',
    wordFlag([',', ';', '|'], ' '),
  ),
  decimal: valueFlag('<mark>', 'decimal mark in CSV and TSV: . (default) or ,', wordFlag(['.', ','], ' ')),
});
type Flags = z.output<typeof flagSchema>;

// A table is for reading; a larger one takes seconds to draw (7.7 s for 200,000 rows).
const MAX_TABLE_ROWS = 1000;

const ARGUMENT = ['<sql>', 'one SQL statement, or a file that ends in .sql'] as const;

/** `answerlake query 'SQL'`: read-only on the published file; needs no key. */
export const define = defined({ flags: flagSchema, argument: ARGUMENT }, async (context, flags, words) => {
  const config = context.loadConfig({ secrets: 'leave' });
  const sql = statementOf(words[0] ?? '');
  const ending = extname(flags.output ?? '')
    .slice(1)
    .toLowerCase();
  const named = flags.format ?? FORMATS.find((one) => one === ending);
  const format = named ?? (context.flags.json ? 'json' : 'table');
  const lines = lineStyleOf(flags, format);
  if (format === 'xlsx' && flags.output === undefined)
    throw usageError(['A workbook is not text:', 'add --output FILE.xlsx.']);
  if (flags.output !== undefined) requireOtherFile(config, flags.output);
  await using file = await context.openPublished(config, { isAnyVersion: true });
  const write = format === 'table' || format === 'md' ? writeDrawn : writePieces;
  const isObject = context.flags.json && flags.format === undefined && flags.output === undefined;
  const before = isObject ? '{"ok": true, "exit_code": 0, "next": null, "rows": ' : '';
  const writing = { ...flags, format, lines, sql, before };
  const rows = await write(context, file, writing).catch(async (error: unknown) => {
    const { withHint } = await import('../guide/tools.ts');
    throw withHint(error);
  });
  if (context.flags.quiet && !isObject) return;
  // Misleading aspects of the result: its age if stale, warnings, and why it is empty.
  try {
    const age = await context.readAge(file, config);
    const { explainResult, isEmpty } = await import('../guide/tools.ts');
    const explained = await explainResult(file, sql, isEmpty(rows));
    if (isObject) return endObject(context, { ...ageJson(age), ...explained });
    context.note(staleWords(age));
    const { warnings, notes, why } = explained;
    for (const warning of warnings) context.note(`Warning: ${warning}`);
    for (const note of notes) context.note(`Note: ${note}`);
    if (why.length > 0) context.note(['Nothing was found.', ...why].join('\n'));
  } catch (error) {
    if (context.signal.aborted) throw error;
    // The rows are written, so this is not a failure.
    const problem = `The warnings could not be determined: ${messageOf(error)}`;
    if (isObject) endObject(context, { warnings: [problem], notes: [], why: [] });
    else context.note(problem);
  }
});

/** With `--json`, the facts after the rows, which were written as they came. */
function endObject({ io }: CommandContext, facts: object): void {
  io.stdout.write(`, ${visibleText(JSON.stringify(facts)).slice(1)}\n`);
}

/** The style of CSV and TSV; null for another format. @throws AnswerlakeError configuration if flags conflict */
function lineStyleOf({ bom, delimiter, decimal }: Flags, format: string) {
  if (format !== 'csv' && format !== 'tsv') {
    if (bom || delimiter !== undefined || decimal !== undefined)
      throw usageError('--bom, --delimiter and --decimal go with --format csv or tsv.');
    return null;
  }
  if (format === 'tsv' && delimiter !== undefined) throw usageError('--delimiter goes with --format csv.');
  const style = { delimiter: delimiter ?? DELIMITERS[format], decimal: decimal ?? '.', isForExcel: bom };
  if (style.decimal === style.delimiter)
    throw usageError([
      '--decimal , needs a delimiter other than a comma:',
      "add --delimiter ';', or --format tsv.",
    ]);
  return style;
}

/** @throws AnswerlakeError configuration when the file cannot be read */
function statementOf(word: string): string {
  // A statement contains blanks, and so may a path.
  if (!/\.sql$/i.test(word) || (/\s/.test(word) && !existsSync(word))) return word;
  try {
    return decodeText(readFileSync(word));
  } catch (error) {
    throw usageError(`The SQL file ${word} cannot be read: ${messageOf(error)}`);
  }
}

type Writing = Flags & { lines: ReturnType<typeof lineStyleOf>; sql: string; before: string };

/** Returns the first rows, which show whether the result is empty. A large result is never held in memory as a whole; a reader that closes stdout ends it. */
async function writePieces({ io }: CommandContext, file: PublishedFile, asked: Writing) {
  const result = await file.stream(asked.sql);
  const first: Cell[][] = [];
  async function* seen(): AsyncGenerator<Cell[][]> {
    for await (const part of result.parts) {
      if (first.length < 2) first.push(...part.slice(0, 2));
      yield part;
    }
  }
  const stream = { ...result, parts: seen() };
  const pieces =
    asked.format === 'xlsx'
      ? (await import('../export/workbook.ts')).workbookPieces([{ name: 'result', ...stream }])
      : streamResult(stream, asked.lines);
  if (asked.output !== undefined) {
    await writeOutput(resolve(asked.output), pieces);
    return first;
  }
  let { before } = asked;
  for await (const piece of pieces) {
    if (io.stdout.isGone) break;
    io.stdout.write(before + String(piece));
    before = '';
    await io.stdout.flushed();
  }
  return first;
}

/** For reading. */
async function writeDrawn(context: CommandContext, file: PublishedFile, asked: Writing) {
  const { format, output, sql } = asked;
  const { stdout } = context.io;
  const result = await file.query(sql, format === 'table' ? MAX_TABLE_ROWS : undefined);
  const isSeen = stdout.isTerminal && output === undefined;
  const width = isSeen ? stdout.width : undefined;
  const text = format === 'md' ? formatMarkdown(result) : formatResultTable(result, { width });
  if (output === undefined) stdout.write(text);
  else await writeOutput(resolve(output), [text]);
  const { count, rows } = result;
  if (rows.length < count) {
    context.note(
      `${counted(rows.length, 'row')}; ${amount(count - rows.length)} more of ${amount(count)} not shown: --format csv or json writes all.`,
    );
  } else if (isSeen && format === 'table') {
    context.note(counted(count, 'row'));
  }
  return rows;
}
