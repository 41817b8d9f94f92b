import { z } from 'zod';
import { formatDuration, amount, counted } from '../quantity.ts';
import { defined } from './host.ts';
import { usageError } from '../errors.ts';
import { someText, switchFlag, valueFlag } from './flags.ts';

const flagSchema = z.strictObject({
  allowLoss: switchFlag('continue even if the archive is damaged or lacks data of the warehouse'),
  endpoint: valueFlag('<name>', 'only fill new columns of an endpoint of your own', someText),
  recreate: switchFlag('with --endpoint: recreate its tables, with a new key or new types'),
});

/** `answerlake replay`: rebuilds the warehouse from its raw archive, without any request; needs no key. */
export const define = defined({ flags: flagSchema }, async (context, flags) => {
  const runContext = await context.runContext(context.loadConfig({ secrets: 'warehouse' }));
  if (flags.endpoint !== undefined) {
    const { replayEndpoint } = await import('../replay/own-endpoint.ts');
    const filled = await replayEndpoint(runContext, { name: flags.endpoint, isRecreated: flags.recreate });
    const took = formatDuration(filled.duration_ms);
    const read = `Read ${counted(filled.answers, 'archived answer')} of ${filled.endpoint} again in ${took}`;
    context.printChange(filled, () => `${read}, without one request`);
    return 0;
  }
  if (flags.recreate) throw usageError('--recreate belongs to --endpoint NAME');
  const { replayArchive } = await import('../replay/replay.ts');
  const report = await replayArchive(runContext, flags.allowLoss);
  const runs = counted(report.runs, 'archived run');
  const refused = report.rows_rejected === 0 ? '' : `, ${amount(report.rows_rejected)} refused`;
  const lines = [
    `Rebuilt from ${runs} in ${formatDuration(report.duration_ms)}, without one request`,
    `  answers    ${amount(report.answers)}`,
    `  slices     ${amount(report.slices_loaded)} loaded, ${amount(report.slices_failed)} failed`,
    `  rows       ${amount(report.rows_received)}${refused}`,
    ...report.losses.map((loss) => `  lost       ${loss}`),
    `  published  ${report.published}`,
  ];
  if (report.replaced !== null)
    lines.push(`  before     ${report.replaced} (the next complete run removes it)`);
  const text = (): string => lines.join('\n');
  if (report.losses.length > 0) context.printResult(report, text);
  else context.printChange(report, text);
  context.next(['answerlake status', 'runs, freshness and gaps of the rebuilt file']);
  return report.exit_code;
});
