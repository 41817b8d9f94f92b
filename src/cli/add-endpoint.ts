import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suggestion, usageError, type ExitCode } from '../errors.ts';
import type { Config } from '../config/config.ts';
import { filesIn, type NewFile, placeFiles, shortPath } from '../files.ts';
import type { z } from 'zod';
import type { CommandContext } from './host.ts';
import { READY_MADE, tryEndpoint, type tryFlags } from './try-endpoint.ts';

/** `answerlake endpoints add NAME`: copies a ready-made file with its views, and tries it. */
export async function addEndpoint(
  context: CommandContext,
  name: string,
  flags: z.output<typeof tryFlags>,
): Promise<ExitCode> {
  const config = context.loadConfig({ isStrict: false });
  const files = readyMadeFiles(name, config);
  const kept = files.filter(({ path }) => existsSync(path));
  if (kept.length > 0) {
    for (const { path, content } of kept) context.note(differenceOf(path, content));
    const there = kept.map(({ path }) => shortPath(path)).join(', ');
    throw usageError([
      `${there}: already there, so nothing was written.`,
      'Move it away, or change it by hand.',
    ]);
  }
  placeFiles(files);
  context.note(`Written: ${files.map(({ path }) => shortPath(path)).join(', ')}`);
  return await tryEndpoint(context, name, flags);
}

/** A ready-made file with the views that read its table, and their places in a configuration. @throws AnswerlakeError (configuration) if there is no such file */
export function readyMadeFiles(
  name: string,
  { endpointsDir, viewsDir }: Pick<Config, 'endpointsDir' | 'viewsDir'>,
): (NewFile & { content: string })[] {
  const ready = filesIn(READY_MADE, '.yaml');
  const found = ready.find((one) => one.name === name);
  const names = ready.map((one) => one.name);
  if (found === undefined)
    throw usageError(`There is no ready-made endpoint ${name}; ${suggestion(name, names)}`);
  const ofTable = new RegExp(`\\bown\\.${name}\\b`);
  const views = filesIn(join(READY_MADE, 'views'), '.sql').map((view) => ({
    path: join(viewsDir, `${view.name}.sql`),
    content: readFileSync(view.path, 'utf8'),
  }));
  return [
    { path: join(endpointsDir, `${name}.yaml`), content: readFileSync(found.path, 'utf8') },
    ...views.filter(({ content }) => ofTable.test(content)),
  ];
}

/** The lines in only one of the two files: `-` from the existing one, `+` from the ready-made one. */
function differenceOf(path: string, content: string): string {
  const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
  const [there, ready] = [linesOf(readFileSync(path, 'utf8')), linesOf(content)];
  const only = (lines: readonly string[], others: readonly string[], sign: string): string[] =>
    lines.filter((line) => !others.includes(line)).map((line) => `${sign} ${line}`);
  const lines = [...only(there, ready, '-'), ...only(ready, there, '+')];
  return [`${shortPath(path)}: ${lines.length === 0 ? 'no difference' : ''}`, ...lines].join('\n').trimEnd();
}
