import { z } from 'zod';
import { AGAINST, compareMetric, PRESETS } from '../guide/compare.ts';
import { PARTS } from '../guide/governed.ts';
import { staleWords } from '../warehouse/freshness.ts';
import { dayFlag, valueFlag, wordFlag } from './flags.ts';
import { defined } from './host.ts';
import { projectFlag } from './selection-flags.ts';
import { ageJson, objectsOf, PIPE_WIDTH } from './status.ts';

const flagSchema = z.strictObject({
  preset: valueFlag('<period>', `${PRESETS.join(', ')} (default: last_28_days)`, wordFlag(PRESETS)),
  against: valueFlag('<period>', 'before (default), or year: the same a year earlier', wordFlag(AGAINST)),
  from: valueFlag('<date>', 'first day, in place of a preset', dayFlag),
  to: valueFlag('<date>', 'last day (default: the newest whole one)', dayFlag),
  againstFrom: valueFlag('<date>', 'first day of the other period', dayFlag),
  againstTo: valueFlag('<date>', 'last day of the other period (default: same length)', dayFlag),
  project: projectFlag,
  by: valueFlag('<part>', `one row for each ${PARTS.join(', ')}`, wordFlag(PARTS)),
});

const ARGUMENT = ['<metric>', 'a governed figure, for example visibility'] as const;

/** `answerlake compare METRIC`: one figure in two comparable periods; needs no key. */
export const define = defined({ flags: flagSchema, argument: ARGUMENT }, async (context, flags, words) => {
  const config = context.loadConfig({ secrets: 'leave' });
  await using file = await context.openPublished(config);
  const compared = await compareMetric(file, { name: words[0] ?? '', ...flags });
  const { figure, period, against, result, sql, warnings } = compared;
  const age = await context.readAge(file, config);
  if (context.flags.json) {
    const days = { from: period.start, to: period.end, against_from: against.start, against_to: against.end };
    const { name: metric, unit } = figure;
    context.printJson({ ...ageJson(age), metric, unit, ...days, rows: objectsOf(result), warnings, sql });
  } else {
    const periods = [period, against].map(({ start, end }) => `${start} to ${end}`).join(' against ');
    context.print(`${figure.label} (${figure.unit}), ${periods}`);
    context.printTable(result, { width: PIPE_WIDTH });
  }
  context.note(staleWords(age));
  if (!context.flags.json) for (const warning of warnings) context.note(`Warning: ${warning}`);
});
