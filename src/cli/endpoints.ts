import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { suggestion, usageError } from '../errors.ts';
import { filesIn, PACKAGE_ROOT } from '../files.ts';
import { enabledEndpoints } from '../plan/selection.ts';
import { amount } from '../quantity.ts';
import { addEndpoint } from './add-endpoint.ts';
import { noFlags, switchFlag } from './flags.ts';
import { defined, type CommandContext, type CommandHost } from './host.ts';
import { terminalWidth } from './terminal/io.ts';
import { tryEndpoint, tryFlags } from './try-endpoint.ts';
import { countTable } from './terminal/result-format.ts';

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
  const ready = filesIn(join(PACKAGE_ROOT, 'config', 'own'), '.yaml')
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
      countTable(
        ['endpoint', 'kind', 'asked', 'requests a night', 'path'],
        rows,
        terminalWidth(context.io.stdout),
      ),
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

type Work = typeof tryEndpoint;

const defineOne = (argument: string, work: Work) =>
  defined(
    { flags: tryFlags, argument: [`<${argument}>`, 'a file, or the name of an endpoint'] },
    async (context: CommandContext, flags, [word]) => {
      if (word === undefined) throw usageError('Name a file or an endpoint.');
      return await work(context, word, flags);
    },
  );

const SUBCOMMANDS = [
  ['try', 'Test a declaration against the server; store nothing', defineOne('file', tryEndpoint)],
  ['add', 'Copy a ready-made declaration with its views, and try it', defineOne('name', addEndpoint)],
  ['drop', 'Remove the tables of an endpoint whose file is gone', defineDrop],
] as const;
