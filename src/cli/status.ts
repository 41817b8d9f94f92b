import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { AnswerlakeError } from '../errors.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import type { Journal } from '../run/journal.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/quote.ts';
import { formatBytes } from './check-result.ts';
import type { CommandContext } from './context.ts';
import type { CommandHost } from './host.ts';
import { queueNotes, queuePart, staleNotes, STATUS_SECTIONS, type StatusSection } from './status-sections.ts';
import { formatJson, formatResultTable } from './terminal/result-format.ts';

/** `answerlake status`: what the published file says of its own making; needs no key. */
export function defineStatus(command: Command, host: CommandHost): void {
  command.addHelpText(
    'after',
    `
Examples:
  $ answerlake status
  $ answerlake status --json`,
  );
  host.handle(command, z.strictObject({}), async (context) => {
    const config = context.loadConfig({ secrets: 'leave' });
    const { path } = config.warehouse;
    const { readJournal } = await import('../run/journal.ts');
    const journal = await readJournal(path);
    requirePublished(path, journal);
    const { openPublishedFile } = await import('../publish/published-file.ts');
    await using file = await openPublishedFile(path, { signal: context.signal, threads: 1 });
    const { explainOldViews } = await import('../warehouse/old-views.ts');
    const ofThisVersion = async <Read>(reading: Promise<Read>): Promise<Read> =>
      await reading.catch((error: unknown) => {
        throw explainOldViews(error);
      });
    await ofThisVersion(addJournalTables(file, journal));
    const { size, mtime } = statSync(path);
    if (context.flags.json) {
      const parts = await ofThisVersion(readParts(file));
      const queue = await queuePart(config, context);
      const start = {
        ok: true,
        exit_code: 0,
        path,
        bytes: size,
        published_at: mtime.toISOString(),
        ...queue,
      };
      context.io.stdout.write(`${JSON.stringify(start).slice(0, -1)},\n${parts.join(',\n')}}\n`);
      return 0;
    }
    const when = mtime.toISOString().slice(0, 16).replace('T', ' ');
    context.print(`${path}\n${formatBytes(size)}, published ${when} UTC`);
    for (const section of STATUS_SECTIONS) await ofThisVersion(printSection(section, file, context));
    for (const line of await staleNotes(file, context.effects.now())) context.print(`\n${line}`);
    for (const line of await queueNotes(config, context)) context.print(line);
    return 0;
  });
}

/** Runs that published nothing yet have left their word in the journal. */
function requirePublished(path: string, { runs: [last] }: Journal): void {
  if (existsSync(path) || last === undefined) return;
  const when = last.started_at.slice(0, 16).replace('T', ' ');
  const why = last.error_message === null ? '' : `: ${last.error_message}`;
  const end =
    last.finished_at === null
      ? `A run has been under way since ${when} UTC`
      : `The last run (${when} UTC) ended ${last.status}, exit ${last.exit_code}${why}`;
  throw new AnswerlakeError(`There is no published file at ${path} yet. ${end}`, { class: 'storage' });
}

async function readParts(file: PublishedFile): Promise<string[]> {
  const parts: string[] = [];
  for (const { name, sql } of STATUS_SECTIONS) {
    parts.push(`${JSON.stringify(name)}: ${formatJson(await file.query(sql)).trimEnd()}`);
  }
  return parts;
}

async function printSection(
  { title, whenEmpty, emptySql, sql, shortSql }: StatusSection,
  file: PublishedFile,
  context: CommandContext,
): Promise<void> {
  const result = await file.query(shortSql ?? sql);
  if (result.count > 0) {
    context.print(`\n${title}`);
    const { stdout } = context.io;
    stdout.write(
      formatResultTable(result, { nullText: '', ...(stdout.isTerminal ? { width: stdout.columns } : {}) }),
    );
    return;
  }
  const text =
    emptySql === undefined
      ? whenEmpty
      : ((await file.rowsAs(z.object({ text: z.string().nullable() }), emptySql))[0]?.text ?? '');
  if (text !== null) context.print(`\n${text}`);
}

/** Makes `known_runs` and `known_quotas` for the queries of `status`, with the columns of `meta.runs` and `meta.quotas`. */
async function addJournalTables(file: PublishedFile, { runs, quotas }: Journal): Promise<void> {
  await addJournalTable(file, 'runs', runs);
  await addJournalTable(file, 'quotas', quotas);
}

async function addJournalTable(
  file: PublishedFile,
  name: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const described = await file.rowsAs(
    z.object({ column_name: z.string(), column_type: z.string() }),
    `select column_name, column_type from (describe meta.${quoteIdentifier(name)})`,
  );
  const types = Object.fromEntries(described.map(({ column_name: name, column_type: type }) => [name, type]));
  const columns = Object.keys(types);
  const known = quoteLiteral(JSON.stringify(rows.map((row) => pick(row, columns))));
  const shape = quoteLiteral(JSON.stringify([types]));
  await file.run(
    `create temp table known_${name} as
     select ${columns.map(quoteIdentifier).join(', ')}
     from (select unnest(from_json(${known}, ${shape}), recursive := true))`,
  );
}

function pick(row: Readonly<Record<string, unknown>>, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column) => {
      const value = row[column] ?? null;
      return [column, typeof value === 'string' ? value.replace(INSTANT_END, '') : value];
    }),
  );
}

// An instant of the journal is UTC, and so is a TIMESTAMP of the warehouse.
const INSTANT_END = /(?<=^\d{4}-\d\d-\d\dT[\d:.]+)Z$/;
