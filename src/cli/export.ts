import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { z } from 'zod';
import { usageError } from '../errors.ts';
import { secretOf } from '../secret.ts';
import type { ExportTarget } from '../export/write-export.ts';
import { PARTITIONS } from '../export/export-tables.ts';
import { type Choice, VIEW_SCHEMAS } from '../export/relations.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import type { Sheet } from '../export/workbook.ts';
import { defined, type CommandContext } from './host.ts';
import { valueFlag, listFlag, someText, switchFlag, wordFlag } from './flags.ts';
import { requireOtherFile, writeOutput } from './output-file.ts';
import { projectFlag, chooseProject } from './selection-flags.ts';

const FORMATS = ['parquet', 'xlsx'] as const;

const flagSchema = z.strictObject({
  output: valueFlag('<folder>', 'folder, s3://bucket/folder or file.xlsx (default: export[.xlsx])', someText),
  format: valueFlag(
    '<format>',
    'parquet, or xlsx: a sheet a view (default: by the ending of --output)',
    wordFlag(FORMATS),
  ),
  table: valueFlag('<name...>', 'only these views and tables (default: every view)', listFlag),
  project: projectFlag,
  schema: valueFlag(
    '<schema>',
    'views of main (default), of detail with every filter, or all of own',
    wordFlag(VIEW_SCHEMAS),
  ),
  partition: valueFlag('<by>', 'folders by project-month (default) or month alone', wordFlag(PARTITIONS)),
  changed: switchFlag('bring an earlier export up to date: write only partitions that changed'),
  overwrite: switchFlag('replace an earlier export, or add to a folder that is not empty'),
});
type Flags = z.output<typeof flagSchema>;

/** `answerlake export`: Parquet or one workbook from the published file; needs no key and no network. */
export const define = defined({ flags: flagSchema }, async (context, flags) => {
  const config = context.loadConfig({ secrets: 'leave' });
  const isBook = (flags.format ?? extname(flags.output ?? '').toLowerCase()).endsWith('xlsx');
  if (flags.output?.startsWith('s3://') === false) {
    requireOtherFile(config, flags.output);
    assertPlace(flags.output, isBook);
  }
  if (isBook) assertWorkbookFlags(flags);
  await using file = await context.openPublished(config);
  const projectId = (await chooseProject(file, flags.project))?.id ?? null;
  const choice: Choice = { names: flags.table ?? null, schema: flags.schema ?? 'main', projectId };
  if (isBook) await writeBook(context, file, { ...flags, ...choice });
  else {
    await writeParquet(context, config.warehouse.path, { ...flags, ...choice });
  }
});

/** A scheme has two letters or more; a single letter is a drive. */
const ADDRESS = /^[a-z][a-z\d+.-]+:\//i;
const FILE = /\.(?:csv|json|parquet|tsv|xlsx?)$/i;

/** Refuses an address, or a file name if no workbook is written: either would become a folder. */
function assertPlace(output: string, isBook: boolean): void {
  if (!ADDRESS.test(output) && (isBook || !FILE.test(output))) return;
  throw usageError(
    `--output ${output} is no folder; nothing was written. An export goes to a folder, to s3://bucket/folder (with AWS_ENDPOINT_URL for other S3-compatible storage), or to one workbook (.xlsx). For CSV or JSON: answerlake query --format csv "from daily_kpis"`,
  );
}

function assertWorkbookFlags({ output = '', changed, partition }: Flags): void {
  if (changed || partition !== undefined)
    throw usageError('--changed and --partition go with --format parquet; a workbook is one file.');
  if (output.startsWith('s3://'))
    throw usageError(['A workbook is written to a file:', 'name one with --output.']);
}

/** Views of `detail` share the names of those of `main`, so they go to a folder of their own. */
const defaultName = ({ schema }: Choice): string => (schema === 'main' ? 'export' : `export-${schema}`);

async function writeBook(context: CommandContext, published: PublishedFile, asked: Flags & Choice) {
  const file = resolve(asked.output ?? `${defaultName(asked)}.xlsx`);
  const remedy = 'Add --overwrite, or choose another --output.';
  if (existsSync(file) && !asked.overwrite)
    throw usageError([`${file} exists already; nothing was written.`, remedy]);
  const { readSheets, workbookPieces } = await import('../export/workbook.ts');
  const tables: { name: string; rows: number }[] = [];
  async function* sheets(): AsyncGenerator<Sheet> {
    for await (const sheet of readSheets(published, asked)) {
      tables.push({ name: sheet.name, rows: sheet.count });
      yield sheet;
    }
  }
  await writeOutput(file, workbookPieces(sheets()));
  const rows = tables.map((table) => [table.name, table.rows]);
  context.printChange({ file, tables }, () => `${context.table(['sheet', 'rows'], rows)}\n${file}`);
}

async function writeParquet(context: CommandContext, source: string, asked: Flags & Choice): Promise<void> {
  const { writeExport } = await import('../export/write-export.ts');
  const { partition = 'project-month' } = asked;
  await using target = await openTarget(context, asked.output ?? defaultName(asked));
  const order = { ...asked, source, partition, isOurs: true, signal: context.signal };
  const { tables, removed, failed } = await writeExport(target, order);
  for (const [name, why] of failed) context.note(`warning: own.${name} keeps its last rows: ${why}`);
  const facts = tables.map(({ table: name, partitions, files, written }) => {
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    return { name, rows, files: files.length, files_written: written.length, partitions };
  });
  context.printChange({ folder: target.name, tables: facts, removed }, () => {
    const lines = facts.map(({ partitions, ...counts }) => [...Object.values(counts), partitions.join(', ')]);
    return `${context.table(['table', 'rows', 'files', 'written', 'split by'], lines)}\n${target.name}`;
  });
  const again = `answerlake export --changed${context.sameFlags('--changed', '--overwrite')}`;
  context.next([again, 'after the next sync: only changes']);
}

async function openTarget(context: CommandContext, output: string): Promise<ExportTarget> {
  const { openBucketTarget, openFolderTarget } = await import('../export/write-export.ts');
  if (!output.startsWith('s3://')) return await openFolderTarget(resolve(output));
  const { openBucket, bucketAccess } = await import('../bucket/bucket.ts');
  const access = bucketAccess(context.env);
  const name = 'AWS_SECRET_ACCESS_KEY';
  context.hide([secretOf(`env:${name}`, context.env[name] ?? '')]);
  return await openBucketTarget(output, openBucket(output, access, context.signal));
}
