import type { Command } from 'commander';
import { existsSync, statSync } from 'node:fs';
import { z } from 'zod';
import { AnswerlakeError } from '../errors.ts';
import type { Journal } from '../run/journal.ts';
import { formatBytes } from './check-result.ts';
import { queueNotes, queuePart } from './status-queue.ts';
import type { CommandContext } from './context.ts';
import type { CommandHost } from './host.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import type { QueryResult } from '../query-result.ts';
import { formatResult, formatResultTable } from '../terminal/result-format.ts';
import { STATUS_SECTIONS, type StatusSection } from './status-sections.ts';

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
    const { addKnownRuns } = await import('./known-runs.ts');
    await using file = await openPublishedFile(path, { signal: context.signal, threads: 1 });
    const results = new StatusResults(file, context.flags.json);
    await addKnownRuns(file, journal);
    const { size, mtime } = statSync(path);
    if (context.flags.json) {
      const parts = await readParts(results);
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
    for (const section of STATUS_SECTIONS) await printSection(section, { results, file, context });
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

/** The results of the sections; slow ones are under way from the start. */
class StatusResults {
  readonly #file: PublishedFile;
  readonly #isWhole: boolean;
  readonly #begun = new Map<StatusSection, Promise<QueryResult>>();

  /** @param isWhole every row, not only what fits into a terminal */
  constructor(file: PublishedFile, isWhole: boolean) {
    this.#file = file;
    this.#isWhole = isWhole;
    for (const section of STATUS_SECTIONS) {
      if (section.isSlow !== true) continue;
      const result = file.queryAside(this.#sqlOf(section));
      // It fails for whoever asks for it.
      result.catch(() => undefined);
      this.#begun.set(section, result);
    }
  }

  async of(section: StatusSection): Promise<QueryResult> {
    return await (this.#begun.get(section) ?? this.#file.query(this.#sqlOf(section)));
  }

  #sqlOf({ sql, shortSql }: StatusSection): string {
    return this.#isWhole ? sql : (shortSql ?? sql);
  }
}

async function readParts(results: StatusResults): Promise<string[]> {
  const parts: string[] = [];
  for (const section of STATUS_SECTIONS) {
    const result = await results.of(section);
    parts.push(`${JSON.stringify(section.name)}: ${formatResult(result, 'json').trimEnd()}`);
  }
  return parts;
}

async function printSection(
  section: StatusSection,
  { results, file, context }: { results: StatusResults; file: PublishedFile; context: CommandContext },
): Promise<void> {
  const { title, whenEmpty, emptySql } = section;
  const result = await results.of(section);
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
