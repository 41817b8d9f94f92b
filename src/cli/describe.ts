import type { Command } from 'commander';
import { z } from 'zod';
import { type Contents, describeView, readContents, readViews } from '../guide/views.ts';
import type { CommandHost } from './host.ts';
import { chooseProject, projectFlag } from './project-flag.ts';
import { amount } from '../text.ts';
import { terminalWidth } from './terminal/io.ts';
import { formatTable } from './terminal/table.ts';

const flagSchema = z.strictObject({ project: projectFlag });

const HELP = `  $ answerlake describe
  $ answerlake describe daily_kpis
  $ answerlake describe --project acme
  $ answerlake describe detail.daily_kpis`;

/** `answerlake describe [VIEW]`: what the views and their columns mean, and what they hold of a project; needs no key. */
export function define(command: Command, host: CommandHost): void {
  command.argument('[view]', 'a view; left out: all of them');
  host.handle({ command, flags: flagSchema, help: HELP }, async (context, flags, words) => {
    const config = context.loadConfig({ secrets: 'leave' });
    const { openPublishedFile } = await import('../publish/published-file.ts');
    await using file = await openPublishedFile(config.warehouse.path, {
      signal: context.signal,
      isAnyVersion: true,
    });
    const width = terminalWidth(context.io.stdout);
    const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
      formatTable({ columns: titles.map((title) => ({ title })), rows, width });
    const [name] = words;
    const project = await chooseProject(file, flags.project);
    if (name === undefined && project !== null) {
      const views: ({ name: string } & Contents)[] = [];
      for (const view of await readViews(file)) {
        const contents = await readContents(file, await describeView(file, view.name), project.id);
        if (contents !== null) views.push({ name: view.name, ...contents });
      }
      context.printResult({ project, views }, () =>
        table(
          ['view', 'rows', 'first', 'last'],
          views.map((view) => [view.name, amount(view.rows), view.first ?? '', view.last ?? '']),
        ),
      );
      return 0;
    }
    if (name === undefined) {
      const views = await readViews(file);
      context.printResult({ views }, () =>
        table(
          ['view', 'meaning'],
          views.map((view) => [view.name, view.comment]),
        ),
      );
      context.next(['answerlake describe daily_kpis', 'the columns of one view']);
      return 0;
    }
    const view = await describeView(file, name);
    const contents = project === null ? null : await readContents(file, view, project.id);
    const found = project === null || contents === null ? '' : `${project.name}: ${contentsText(contents)}\n`;
    context.printResult({ view, ...(project === null ? {} : { project, contents }) }, () => {
      const rows = view.columns.map((column) => [column.name, column.type, column.comment]);
      const key = view.key.length === 0 ? '' : `Key: ${view.key.join(', ')}\n`;
      return `${view.name}: ${view.comment}\n${found}${key}${table(['column', 'type', 'meaning'], rows)}`;
    });
    return 0;
  });
}

function contentsText({ rows, first, last }: Contents): string {
  const days = first === null || last === null ? '' : `, ${first} to ${last}`;
  return `${amount(rows)} ${rows === 1 ? 'row' : 'rows'}${days}`;
}
