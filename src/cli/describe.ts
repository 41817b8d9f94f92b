import { z } from 'zod';
import { type Contents, describeView, readContents, readMainAndOwn } from '../guide/views.ts';
import { amount, counted } from '../quantity.ts';
import { defined } from './host.ts';
import { chooseProject, projectFlag } from './selection-flags.ts';

const flagSchema = z.strictObject({ project: projectFlag });

const ARGUMENT = ['[view]', 'a view; left out: all of them'] as const;

/** `answerlake describe [VIEW]`: the meaning of the views and their columns, and their rows for a project; needs no key. */
export const define = defined({ flags: flagSchema, argument: ARGUMENT }, async (context, flags, words) => {
  const config = context.loadConfig({ secrets: 'leave' });
  await using file = await context.openPublished(config, { isAnyVersion: true });
  const [name] = words;
  const project = await chooseProject(file, flags.project);
  if (name === undefined && project !== null) {
    const views: ({ name: string } & Contents)[] = [];
    for (const { name } of await readMainAndOwn(file)) {
      const contents = await readContents(file, await describeView(file, name), project.id);
      if (contents !== null) views.push({ name, ...contents });
    }
    const rows = views.map((view) => [view.name, amount(view.rows), view.first ?? '', view.last ?? '']);
    context.printResult({ project, views }, () => context.table(['view', 'rows', 'first', 'last'], rows));
    return;
  }
  if (name === undefined) {
    const views = await readMainAndOwn(file);
    const rows = views.map((view) => [view.name, view.comment]);
    context.printResult({ views }, () => context.table(['view', 'meaning'], rows));
    context.next(['answerlake describe daily_kpis', 'the columns of one view']);
    return;
  }
  const view = await describeView(file, name);
  const contents = project === null ? null : await readContents(file, view, project.id);
  const { rows: count = 0, first = null, last = null } = contents ?? {};
  const days = first === null || last === null ? '' : `, ${first} to ${last}`;
  const found = contents === null ? '' : `${project?.name ?? ''}: ${counted(count, 'row')}${days}\n`;
  context.printResult({ view, ...(project === null ? {} : { project, contents }) }, () => {
    const rows = view.columns.map((column) => [column.name, column.type, column.comment]);
    const key = view.key.length === 0 ? '' : `Key: ${view.key.join(', ')}\n`;
    return `${view.name}: ${view.comment}\n${found}${key}${context.table(['column', 'type', 'meaning'], rows)}`;
  });
});
