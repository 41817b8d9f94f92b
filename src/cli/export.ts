import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { z } from 'zod';
import { usageError } from '../errors.ts';
import type { ExportTarget } from '../export/export-target.ts';
import { PARTITIONS } from '../export/export-tables.ts';
import { VIEW_SCHEMAS } from '../export/relations.ts';
import type { WrittenExport } from '../export/write-export.ts';
import type { Sheet } from '../export/workbook.ts';
import { openPublishedFile, requireCurrentFile } from '../publish/published-file.ts';
import { amount } from '../text.ts';
import { formatTable } from './terminal/table.ts';
import type { CommandContext, CommandHost } from './host.ts';
import { flag, listFlag, switchFlag, wordFlag } from './flags.ts';
import { requireOtherFile, writeOutput } from './output-file.ts';
import { chooseProject, projectFlag } from './project-flag.ts';

const FORMATS = ['parquet', 'xlsx'] as const;

const flagSchema = z.strictObject({
  output: flag(
    '<folder>',
    'folder, s3://bucket/folder or file.xlsx (default: export, export.xlsx)',
    z.string().min(1),
  ),
  format: flag(
    '<format>',
    'parquet, or xlsx: one workbook, a sheet a view (default: by the ending of --output)',
    wordFlag(FORMATS),
  ),
  table: flag('<name...>', 'only these views and tables (default: every view)', listFlag),
  project: projectFlag,
  schema: flag(
    '<schema>',
    'whose views: main (default), or detail with every filter',
    wordFlag(VIEW_SCHEMAS),
  ),
  partition: flag('<by>', 'folders by project-month (default) or month alone', wordFlag(PARTITIONS)),
  changed: switchFlag('bring an earlier export up to date: write only partitions that changed'),
  overwrite: switchFlag('replace an earlier export, or add to a folder that is not empty'),
});
type Flags = z.output<typeof flagSchema>;

const HELP = `  $ answerlake export
  $ answerlake export --schema detail --output lake-detail
  $ answerlake export --output lake --table daily_kpis core.visibility
  $ answerlake export --output s3://bucket/lake --changed
  $ answerlake export --project fernhill-coffee --output fernhill
  $ answerlake export --output figures.xlsx
One folder per view or table. What has a project and a date is split into
PROJECT/YYYY-MM/; the rest is one file. pandas, Polars, pyarrow, Dask and DuckDB
read a folder as one table. An id too long for the name of a folder is shortened
there; the column in the files is whole.
It removes only files that an earlier export wrote. manifest.ndjson is written
last and names every file, with its rows; a file that it names never changes.
s3:// reads AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
AWS_REGION and AWS_ENDPOINT_URL.`;

/** `answerlake export`: Parquet or one workbook from the published file; needs no key and no network. */
export function define(command: Command, host: CommandHost): void {
  host.handle({ command, flags: flagSchema, help: HELP }, async (context, flags) => {
    const config = context.loadConfig({ secrets: 'leave' });
    const { path } = config.warehouse;
    const isBook = (flags.format ?? extname(flags.output ?? '').toLowerCase()).endsWith('xlsx');
    if (flags.output?.startsWith('s3://') === false) {
      requireOtherFile(config, flags.output);
      assertPlace(flags.output, isBook);
    }
    if (isBook) assertWorkbookFlags(flags);
    await requireCurrentFile(path);
    await (isBook ? writeBook(context, path, flags) : writeParquet(context, path, flags));
    return 0;
  });
}

/** A scheme has two letters or more; one letter is a drive. */
const ADDRESS = /^[a-z][a-z\d+.-]+:\//i;
const FILE = /\.(?:csv|json|parquet|tsv|xls)$/i;

/** An address, or the name of a file where no workbook is written, would become a folder. */
function assertPlace(output: string, isBook: boolean): void {
  if (!ADDRESS.test(output) && (isBook || !FILE.test(output))) return;
  throw usageError(
    `--output ${output} is no folder; nothing was written. An export goes to a folder, to s3://bucket/folder (with AWS_ENDPOINT_URL for other storage that understands S3), or to one workbook (.xlsx). For CSV or JSON: answerlake query --format csv "from daily_kpis"`,
  );
}

function assertWorkbookFlags({ output = '', changed, partition }: Flags): void {
  if (changed || partition !== undefined) {
    throw usageError('--changed and --partition go with --format parquet; a workbook is one file.');
  }
  if (output.startsWith('s3://'))
    throw usageError('A workbook is written to a file: name one with --output.');
}

/** The views of `detail` have the names of those of `main`, so that they go to a place of their own. */
const defaultName = ({ schema = 'main' }: Flags): string =>
  schema === 'main' ? 'export' : `export-${schema}`;

async function writeBook(context: CommandContext, source: string, flags: Flags): Promise<void> {
  const file = resolve(flags.output ?? `${defaultName(flags)}.xlsx`);
  if (existsSync(file) && !flags.overwrite) {
    throw usageError(
      `${file} is there already; nothing was written. Add --overwrite, or choose another --output.`,
    );
  }
  const { readSheets, workbookPieces } = await import('../export/workbook.ts');
  await using published = await openPublishedFile(source, { signal: context.signal });
  const projectId = (await chooseProject(published, flags.project))?.id ?? null;
  const tables: { name: string; rows: number }[] = [];
  async function* sheets(): AsyncGenerator<Sheet> {
    for await (const sheet of readSheets(published, {
      names: flags.table ?? null,
      schema: flags.schema ?? 'main',
      projectId,
    })) {
      tables.push({ name: sheet.name, rows: sheet.count });
      yield sheet;
    }
  }
  await writeOutput(file, workbookPieces(sheets()));
  const rows = tables.map(({ name, rows }) => [name, amount(rows)]);
  const columns = [{ title: 'sheet' }, { title: 'rows', isNumber: true }];
  context.printChange({ file, tables }, () => `${formatTable({ columns, rows })}\n${file}`);
}

async function writeParquet(context: CommandContext, source: string, flags: Flags): Promise<void> {
  const { writeExport } = await import('../export/write-export.ts');
  const projectId = await projectIdOf(context, source, flags.project);
  await using target = await openTarget(context, flags.output ?? defaultName(flags));
  const { tables, removed } = await writeExport(target, {
    source,
    names: flags.table ?? null,
    schema: flags.schema ?? 'main',
    projectId,
    partition: flags.partition ?? 'project-month',
    overwrite: flags.overwrite,
    changed: flags.changed,
    signal: context.signal,
  });
  const facts = tables.map((table) => factOf(table));
  const result = { folder: target.name, tables: facts, removed };
  context.printChange(result, () => `${summarise(facts)}\n${target.name}`);
  context.next([
    'answerlake export --changed',
    'after the next sync, with the same flags: only what changed',
  ]);
}

async function projectIdOf(
  { signal }: CommandContext,
  source: string,
  called: string | undefined,
): Promise<string | null> {
  if (called === undefined) return null;
  await using published = await openPublishedFile(source, { signal });
  return (await chooseProject(published, called))?.id ?? null;
}

async function openTarget(context: CommandContext, output: string): Promise<ExportTarget> {
  if (!output.startsWith('s3://')) {
    const { openFolderTarget } = await import('../export/export-target.ts');
    return await openFolderTarget(resolve(output));
  }
  const [{ openBucket }, { bucketAccess }, { openBucketTarget }] = await Promise.all([
    import('../bucket/bucket.ts'),
    import('../bucket/bucket-access.ts'),
    import('../export/export-target.ts'),
  ]);
  const access = bucketAccess(context.env);
  const { secretAccessKey } = access.credentials;
  context.hide([{ origin: 'env:AWS_SECRET_ACCESS_KEY', reveal: () => secretAccessKey }]);
  return await openBucketTarget(output, openBucket(output, access, context.signal));
}

type TableFact = ReturnType<typeof factOf>;

function factOf({ table, partitions, files, written }: WrittenExport['tables'][number]) {
  return {
    name: table,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    files: files.length,
    files_written: written.length,
    partitions,
  };
}

function summarise(tables: readonly TableFact[]): string {
  return formatTable({
    columns: [
      { title: 'table' },
      { title: 'rows', isNumber: true },
      { title: 'files', isNumber: true },
      { title: 'written', isNumber: true },
      { title: 'split by' },
    ],
    rows: tables.map(({ name, rows, files, files_written, partitions }) => [
      name,
      amount(rows),
      amount(files),
      amount(files_written),
      partitions.join(', '),
    ]),
  });
}
