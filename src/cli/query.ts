import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { messageOf, usageError } from '../errors.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { amount, counted } from '../quantity.ts';
import { decodeText } from '../files.ts';
import type { Cell } from '../warehouse/query-result.ts';
import { staleWords } from '../warehouse/freshness.ts';
import type { Io } from './terminal/io.ts';
import { formatMarkdown, formatResultTable, streamResult } from './terminal/result-format.ts';
import { defined, type CommandContext } from './host.ts';
import { valueFlag, someText, switchFlag, wordFlag } from './flags.ts';
import { requireOtherFile, writeOutput } from './output-file.ts';

const FORMATS = ['table', 'json', 'csv', 'tsv', 'md', 'xlsx'] as const;
const DELIMITERS = { csv: ',', tsv: '\t' } as const;

const flagSchema = z.strictObject({
  format: valueFlag('<format>', 'table (default), json, csv, tsv, md or xlsx', wordFlag(FORMATS)),
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
  const format = flags.format ?? (context.flags.json ? 'json' : 'table');
  const lines = lineStyleOf(flags, format);
  if (format === 'xlsx' && flags.output === undefined) {
    throw usageError(['A workbook is not text:', 'add --output FILE.xlsx.']);
  }
  if (flags.output !== undefined) requireOtherFile(config, flags.output);
  await using file = await context.openPublished(config, { isAnyVersion: true });
  if (format === 'table' || format === 'md') {
    const rows = await hinting(writeDrawn(context, file, { ...flags, format, sql }));
    await noteDoubts(context, { file, sql, rows, config });
    return;
  }
  const asked = await hinting(file.stream(sql));
  const first: Cell[][] = [];
  const stream = { ...asked, parts: keepFirst(asked.parts, first) };
  const pieces =
    format === 'xlsx'
      ? (await import('../export/workbook.ts')).workbookPieces([{ name: 'result', ...stream }])
      : streamResult(stream, lines);
  if (flags.output === undefined) await writeStream(context.io, pieces);
  else await writeOutput(resolve(flags.output), pieces);
  await noteDoubts(context, { file, sql, rows: first, config });
});

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

interface Asked {
  file: PublishedFile;
  sql: string;
  rows: readonly (readonly Cell[])[];
  config: Config;
}

/** Notes misleading aspects of the result: its age if stale, warnings, and why it is empty. */
async function noteDoubts(context: CommandContext, { file, sql, rows, config }: Asked): Promise<void> {
  if (context.flags.quiet) return;
  const { explainResult, isEmpty } = await import('../guide/tools.ts');
  try {
    const stale = staleWords(await context.readAge(file, config));
    if (stale !== null) context.note(stale);
    const { warnings, notes, why } = await explainResult(file, sql, isEmpty(rows));
    for (const warning of warnings) context.note(`Warning: ${warning}`);
    for (const note of notes) context.note(`Note: ${note}`);
    if (why.length > 0) context.note(['Nothing was found.', ...why].join('\n'));
  } catch (error) {
    if (context.signal.aborted) throw error;
    // The rows are written, so this is not a failure.
    context.note(`The warnings could not be determined: ${messageOf(error)}`);
  }
}

/** The first two rows show whether a result is empty. */
async function* keepFirst(parts: AsyncIterable<Cell[][]>, first: Cell[][]): AsyncGenerator<Cell[][]> {
  for await (const part of parts) {
    if (first.length < 2) first.push(...part.slice(0, 2));
    yield part;
  }
}

/** Adds known facts about a column that does not exist. */
async function hinting<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const { withHint } = await import('../guide/tools.ts');
    throw withHint(error);
  }
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

/** A large result is never held in memory as a whole; a reader that closes the output ends it. */
async function writeStream({ stdout }: Io, pieces: AsyncIterable<string | Buffer>): Promise<void> {
  for await (const piece of pieces) {
    if (stdout.isGone) return;
    stdout.write(String(piece));
    await stdout.flushed();
  }
}

/** For reading. */
async function writeDrawn(context: CommandContext, file: PublishedFile, asked: Flags & { sql: string }) {
  const { format, output, sql } = asked;
  const { stdout } = context.io;
  const result = await file.query(sql, format === 'table' ? MAX_TABLE_ROWS : undefined);
  const isSeen = stdout.isTerminal && output === undefined;
  const width = isSeen ? stdout.columns : undefined;
  const text = format === 'md' ? formatMarkdown(result) : formatResultTable(result, { width });
  if (output === undefined) stdout.write(text);
  else await writeOutput(resolve(output), [text]);
  const { count, rows } = result;
  if (rows.length < count) {
    context.note(
      `${amount(rows.length)} rows; ${amount(count - rows.length)} more of ${amount(count)} not shown: --format csv or json writes all.`,
    );
  } else if (isSeen && format === 'table') {
    context.note(counted(count, 'row'));
  }
  return rows;
}
