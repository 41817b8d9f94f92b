import type { Command } from 'commander';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { suggestion, usageError, type ExitCode } from '../errors.ts';
import { filesIn, type NewFile, placeFiles, shortPath } from '../files.ts';
import { enabledEndpoints } from '../plan/selection.ts';
import { amount } from '../quantity.ts';
import { noFlags, switchFlag } from './flags.ts';
import { defined, type CommandContext, type CommandHost } from './host.ts';
import { READY_MADE, tryEndpoint, type TryFlags, tryFlags } from './try-endpoint.ts';

/** `answerlake endpoints …`: requested endpoints, and declared ones. */
export function define(command: Command, host: CommandHost): void {
  for (const [name, description, defineOne] of SUBCOMMANDS)
    defineOne(command.command(name).description(description), host);
  // Subcommands inherit what is set before them.
  defineList(command.allowExcessArguments(), host);
}

const defineList = defined({ flags: noFlags }, async (context, _flags, [word]) => {
  if (word !== undefined) {
    const names = SUBCOMMANDS.map(([name]) => name);
    throw usageError([
      `Unknown command '${word}'; ${suggestion(word, names)}\n`,
      'Add --help to see the options.',
    ]);
  }
  const config = context.loadConfig({ secrets: 'leave' });
  const asked = new Set(enabledEndpoints(config).map(({ name }) => name));
  const requests = await requestsOf(context, config.warehouse.path);
  const known = config.catalogue.asked.map(({ name, path, isExtra }) => ({
    name,
    kind: isExtra ? 'own' : 'built-in',
    path,
    is_asked: asked.has(name),
    requests_per_project_and_night: requests.get(name) ?? null,
  }));
  const ready = filesIn(READY_MADE, '.yaml')
    .filter(({ name }) => !config.catalogue.has(name))
    .map(({ name, file }) => {
      return { name, kind: 'ready-made', path: file, is_asked: false, requests_per_project_and_night: null };
    });
  const endpoints = [...known, ...ready];
  const { problems } = config.own;
  const rows = endpoints.map((one) => {
    const cost = one.requests_per_project_and_night;
    return [one.name, one.kind, one.is_asked ? 'yes' : 'no', cost === null ? '' : amount(cost), one.path];
  });
  context.printResult({ endpoints, problems }, () =>
    [
      context.table(['endpoint', 'kind', 'asked', 'requests a night', 'path'], rows),
      ...problems.map(
        ({ file, line, path, message }) =>
          `${file}:${String(line)} ${path === '' ? '' : `${path}: `}${message}`,
      ),
    ].join('\n'),
  );
});

const costRow = z.object({ endpoint: z.string(), requests: z.number() });

/** Requests per project in the newest run that included an endpoint. */
async function requestsOf(context: CommandContext, path: string): Promise<ReadonlyMap<string, number>> {
  if (!existsSync(path)) return new Map();
  const { openPublishedFile } = await import('../publish/published-file.ts');
  await using file = await openPublishedFile(path, { signal: context.signal });
  const rows = await file.rowsAs(
    costRow,
    `select endpoint, cast(ceil(sum(requests) / count(distinct project_id)) as integer) as requests
     from (select * from meta.slices qualify run_id = max(run_id) over (partition by endpoint)) group by 1`,
  );
  return new Map(rows.map(({ endpoint, requests }) => [endpoint, requests]));
}

const dropFlags = z.strictObject({
  archive: switchFlag('remove its lines of the raw archive too'),
  yes: switchFlag('remove what the command has listed'),
});

const defineDrop = defined(
  { flags: dropFlags, argument: ['<name>', 'an endpoint whose file is gone'] },
  async (context, flags, [name = '']) => {
    if (name === '') throw usageError('endpoints drop needs a name');
    const runContext = await context.runContext(context.loadConfig({ secrets: 'warehouse' }));
    const { dropEndpoint } = await import('../replay/own-endpoint.ts');
    const dropped = await dropEndpoint(runContext, { name, fromArchive: flags.archive, isAgreed: flags.yes });
    context.printChange(dropped, () => `Removed ${dropped.removed}`);
  },
);

/** `answerlake endpoints add NAME`: copies a ready-made file with its views, and tries it. */
async function addEndpoint(context: CommandContext, name: string, flags: TryFlags): Promise<ExitCode> {
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

type Work = typeof tryEndpoint;

const defineOne = (argument: string, work: Work) =>
  defined(
    { flags: tryFlags, argument: [`<${argument}>`, 'a file, or the name of an endpoint'] },
    (context: CommandContext, flags, [word = '']) => work(context, word, flags),
  );

const SUBCOMMANDS = [
  ['try', 'Test a declaration against the server; store nothing', defineOne('file', tryEndpoint)],
  ['add', 'Copy a ready-made declaration with its views, and try it', defineOne('name', addEndpoint)],
  ['drop', 'Remove the tables of an endpoint whose file is gone', defineDrop],
] as const;
