import type { ExitCode } from '../errors.ts';
import { z } from 'zod';
import { readSql } from '../warehouse/sql.ts';
import { defined } from './host.ts';
import { chosenRows, leftOut, projectFlag } from './selection-flags.ts';
import { staleWords } from '../warehouse/freshness.ts';
import { ageJson, explainNoGaps, explainPastDay, lookAtQueue, objectsOf, PIPE_WIDTH } from './status.ts';

/** `answerlake gaps`: expected days without coverage; exit 3 if any has no known reason. */
const flagSchema = z.strictObject({ project: projectFlag });
export const define = defined({ flags: flagSchema }, async (context, flags): Promise<ExitCode> => {
  const config = context.loadConfig({ secrets: 'leave' });
  await using file = await context.openPublished(config);
  const ofProject = `${await chosenRows(file, flags.project)} and not ${await leftOut(file, config)}`;
  const name = context.flags.json ? 'gap-days' : 'gap-ranges';
  const gapsWhere = (status: string) =>
    file.query(readSql(`status/${name}`, { chosen: `${status} and ${ofProject}` }));
  const result = await gapsWhere("status <> 'known'");
  const known = await gapsWhere("status = 'known'");
  const { text = '', is_known: isKnown = false } = (await explainNoGaps(file)) ?? {};
  const exitCode = result.count === 0 && isKnown ? 0 : 3;
  const age = await context.readAge(file, config);
  if (context.flags.json) {
    const gaps = { gaps: objectsOf(result), known: objectsOf(known) };
    context.printJson({ exit_code: exitCode, ...ageJson(age), is_known: isKnown, ...gaps });
  } else {
    if (result.count === 0) context.print(text);
    else context.printTable(result, { hasCounts: true, width: PIPE_WIDTH });
    if (known.count > 0) {
      context.print(
        '\nKnown alarms: three sync days old, while newer days arrive or the server refuses them',
      );
      context.printTable(known, { hasCounts: true, width: PIPE_WIDTH });
    }
  }
  context.note(await explainPastDay(file));
  const stale = staleWords(age);
  context.note(stale && `${stale} Later days are no gaps yet.`);
  const queue = await lookAtQueue(config, context);
  context.note(queue && queue.text);
  if (exitCode === 0) context.next(['answerlake report --open', 'the figures as charts']);
  else context.next(['answerlake sync', 'request these days again']);
  return exitCode;
});
