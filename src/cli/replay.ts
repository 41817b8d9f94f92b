import type { Command } from 'commander';
import { z } from 'zod';
import { formatDuration, amount } from '../text.ts';
import type { ReplayReport } from '../replay/replay.ts';
import type { CommandHost } from './host.ts';
import { switchFlag } from './flags.ts';

const flagSchema = z.strictObject({
  allowLoss: switchFlag('go on although the archive is damaged or lacks what the warehouse has'),
});

const HELP = `  $ answerlake replay
  $ answerlake replay --allow-loss --json
Asks the API nothing, and reads refused rows again. The former working file is
kept beside the new one.`;

/** `answerlake replay`: the warehouse from its raw archive, without one request; needs no key. */
export function define(command: Command, host: CommandHost): void {
  host.handle({ command, flags: flagSchema, help: HELP }, async (context, flags) => {
    const runContext = await context.runContext(context.loadConfig({ secrets: 'warehouse' }));
    const { replayArchive } = await import('../replay/replay.ts');
    const report = await replayArchive(runContext, flags.allowLoss);
    const text = (): string => summariseReplay(report);
    if (report.losses.length > 0) context.printResult(report, text);
    else context.printChange(report, text);
    context.next(['answerlake status', 'runs, freshness and gaps of the rebuilt file']);
    return 0;
  });
}

function summariseReplay(report: ReplayReport): string {
  const runs = report.runs === 1 ? '1 archived run' : `${amount(report.runs)} archived runs`;
  const refused = report.rows_rejected === 0 ? '' : `, ${amount(report.rows_rejected)} refused`;
  return [
    `Rebuilt from ${runs} in ${formatDuration(report.duration_ms)}, without one request`,
    `  answers    ${amount(report.answers)}`,
    `  slices     ${amount(report.slices_loaded)} loaded, ${amount(report.slices_failed)} failed`,
    `  rows       ${amount(report.rows_received)}${refused}`,
    ...report.losses.map((loss) => `  lost       ${loss}`),
    `  published  ${report.published}`,
    ...(report.replaced === null
      ? []
      : [`  before     ${report.replaced} (delete it when you are sure of the new file)`]),
  ].join('\n');
}
