import { describeView, readViews } from '../guide/views.ts';
import { noFlags } from './flags.ts';
import { defined } from './host.ts';
import { terminalWidth } from './terminal/io.ts';
import { countTable } from './terminal/result-format.ts';

const HELP = `  $ answerlake describe
  $ answerlake describe daily_kpis
  $ answerlake describe detail.daily_kpis`;

const ARGUMENT = ['[view]', 'a view; left out: all of them'] as const;

/** `answerlake describe [VIEW]`: what the views and their columns mean; needs no key. */
export const define = defined(
  { flags: noFlags, help: HELP, argument: ARGUMENT },
  async (context, _, words) => {
    const config = context.loadConfig({ secrets: 'leave' });
    await using file = await context.openPublished(config, { isAnyVersion: true });
    const width = terminalWidth(context.io.stdout);
    const [name] = words;
    if (name === undefined) {
      const views = await readViews(file);
      context.printResult({ views }, () =>
        countTable(
          ['view', 'meaning'],
          views.map((view) => [view.name, view.comment]),
          width,
        ),
      );
      context.next(['answerlake describe daily_kpis', 'the columns of one view']);
      return;
    }
    const view = await describeView(file, name);
    context.printResult({ view }, () => {
      const rows = view.columns.map((column) => [column.name, column.type, column.comment]);
      const key = view.key.length === 0 ? '' : `Key: ${view.key.join(', ')}\n`;
      return `${view.name}: ${view.comment}\n${key}${countTable(['column', 'type', 'meaning'], rows, width)}`;
    });
  },
);
