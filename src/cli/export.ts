import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { noPublishedFile } from '../publish/no-published-file.ts';
import type { ExportedTable } from '../export/export-tables.ts';
import { listFlag, switchFlag } from './flag-values.ts';
import type { CommandHost } from './host.ts';
import { formatTable } from '../terminal/table.ts';
import { amount } from '../terminal/amount.ts';

const flagSchema = z.strictObject({
  output: z.string().min(1).default('export'),
  table: listFlag.exactOptional(),
  overwrite: switchFlag,
});

/** `answerlake export`: Parquet from the published file; needs no key and no network. */
export function defineExport(command: Command, host: CommandHost): void {
  command
    .option('--output <folder>', 'where to put them (default: export)')
    .option('--table <name...>', 'only these views and tables (default: every view)')
    .option('--overwrite', 'replace what is in the folder already')
    .addHelpText(
      'after',
      `
Examples:
  $ answerlake export
  $ answerlake export --output lake --table daily_kpis core.visibility
  $ answerlake export --overwrite --json
One folder per view or table. What has a project and a date is split into
project_id=…/month=YYYY-MM/; the rest is one file.`,
    );
  host.handle(command, flagSchema, async (context, flags) => {
    const { path } = context.loadConfig({ secrets: 'leave' }).warehouse;
    if (!existsSync(path)) throw noPublishedFile(path);
    const { exportTables } = await import('../export/export-tables.ts');
    const { assertExportable, putExportInPlace, temporaryFolder } =
      await import('../export/export-folder.ts');
    const folder = resolve(flags.output);
    assertExportable(folder, flags.overwrite);
    await using temporary = temporaryFolder(folder);
    const tables = await exportTables({
      source: path,
      folder: temporary.path,
      names: flags.table ?? null,
      signal: context.signal,
    });
    putExportInPlace(temporary.path, folder, tables);
    if (context.flags.json) context.printJson({ ok: true, exit_code: 0, folder, tables });
    else context.print(`${summarise(tables)}\n${folder}`);
    return 0;
  });
}

function summarise(tables: readonly ExportedTable[]): string {
  return formatTable({
    columns: [
      { title: 'table' },
      { title: 'rows', isNumber: true },
      { title: 'files', isNumber: true },
      { title: 'split by' },
    ],
    rows: tables.map(({ name, rows, files, partitions }) => [
      name,
      amount(rows),
      amount(files),
      partitions.join(', '),
    ]),
  });
}
