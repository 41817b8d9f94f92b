import { statSync } from 'node:fs';
import { z } from 'zod';
import { formatBytes } from './check-result.ts';
import type { CommandContext } from './context.ts';
import type { CommandHost } from './host.ts';
import { openPublishedFile, type PublishedFile } from './published-file.ts';
import { formatResult, formatResultTable } from './result-format.ts';
import { STATUS_SECTIONS, type StatusSection } from './status-sections.ts';

/** `answerlake status`: what the published file says of its own making; needs no key. */
export function addStatus(host: CommandHost): void {
  const command = host.program
    .command('status')
    .description('Last runs, freshness, quota, rejects, drift, gaps')
    .addHelpText(
      'after',
      `
Examples:
  $ answerlake status
  $ answerlake status --json`,
    );
  host.handle(command, z.strictObject({}), async (context) => {
    const { path } = context.loadConfig({ secrets: 'leave' }).warehouse;
    await using file = await openPublishedFile(path, context.signal);
    const { size, mtime } = statSync(path);
    if (context.flags.json) {
      const parts = await readParts(file);
      const start = { ok: true, exit_code: 0, path, bytes: size, published_at: mtime.toISOString() };
      context.io.stdout.write(`${JSON.stringify(start).slice(0, -1)},\n${parts.join(',\n')}}\n`);
      return 0;
    }
    const when = mtime.toISOString().slice(0, 16).replace('T', ' ');
    context.print(`${path}\n${formatBytes(size)}, published ${when} UTC`);
    for (const section of STATUS_SECTIONS) await printSection(section, file, context);
    return 0;
  });
}

async function readParts(file: PublishedFile): Promise<string[]> {
  const parts: string[] = [];
  for (const { name, sql } of STATUS_SECTIONS) {
    parts.push(`${JSON.stringify(name)}: ${formatResult(await file.query(sql), 'json').trimEnd()}`);
  }
  return parts;
}

async function printSection(
  { title, whenEmpty, sql, shortSql }: StatusSection,
  file: PublishedFile,
  context: CommandContext,
): Promise<void> {
  const result = await file.query(shortSql ?? sql);
  if (result.rows.length > 0) {
    context.print(`\n${title}`);
    const { stdout } = context.io;
    stdout.write(
      formatResultTable(result, { nullText: '', ...(stdout.isTerminal ? { width: stdout.columns } : {}) }),
    );
  } else if (whenEmpty !== null) {
    context.print(`\n${whenEmpty}`);
  }
}
