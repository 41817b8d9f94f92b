import type { Command } from 'commander';
import type { ExitCode } from '../errors.ts';
import { z } from 'zod';
import { quoteLiteral } from '../warehouse/sql.ts';
import type { CommandHost } from './host.ts';
import { chooseProject, projectFlag } from './project-flag.ts';
import { terminalWidth } from './terminal/io.ts';
import { formatResultTable } from './terminal/result-format.ts';
import { readAge, staleWords } from '../warehouse/freshness.ts';
import { ageJson, explainNoGaps, lookAtQueue, objectsOf } from './status.ts';

const gapsSql = (isKnown: string): string => `
select project_id, project_name, endpoint, scope, scope_id, grain, date, status, last_status, known_reason, known_first_on
from detail.sync_gaps where ${isKnown}
order by project_id, endpoint, scope, scope_id, grain, date`;
const MISSING = "status <> 'known'";
const KNOWN = "status = 'known'";

// Days that follow each other without a gap become one line.
const rangesSql = (isKnown: string): string => `
with days as (
  select *, date - cast(row_number() over (
    partition by project_id, endpoint, scope, scope_id, grain, status, known_reason order by date) as integer) as island
  from detail.sync_gaps where ${isKnown})
select coalesce(nullif(any_value(project_name), ''), days.project_id) as project, endpoint,
  min(date) as first, max(date) as last, count(*) as count, replace(coalesce(known_reason, status), '_', ' ') as why,
  case scope when 'project' then ''
    else scope || ' ' || coalesce(any_value(m.name), any_value(o.label), scope_id) end as filter,
  grain, any_value(known_first_on) as since
from days
left join core.monitors m on scope = 'monitor' and m.project_id = days.project_id and m.monitor_id = scope_id
left join core.models o on scope = 'model' and o.model_id = scope_id
group by days.project_id, endpoint, scope, scope_id, grain, status, known_reason, island
order by 1, 2, filter, grain, first`;

const HELP = `  $ answerlake gaps
  $ answerlake gaps --project "Fernhill Coffee" --json
A gap is filled by answerlake sync, or by answerlake sync --from DATE --to DATE.`;

/** `answerlake gaps`: what is expected and not covered; exit 3 if anything is whose reason is not known. */
export function define(command: Command, host: CommandHost): void {
  const flagSchema = z.strictObject({ project: projectFlag });
  host.handle({ command, flags: flagSchema, help: HELP }, async (context, flags): Promise<ExitCode> => {
    const config = context.loadConfig({ secrets: 'leave' });
    const { openPublishedFile } = await import('../publish/published-file.ts');
    await using file = await openPublishedFile(config.warehouse.path, { signal: context.signal });
    const { stdout } = context.io;
    const project = await chooseProject(file, flags.project);
    const isChosen = project === null ? '' : ` and project_id = ${quoteLiteral(project.id)}`;
    const sql = context.flags.json ? gapsSql : rangesSql;
    const result = await file.query(sql(MISSING + isChosen));
    const known = await file.query(sql(KNOWN + isChosen));
    const { text = '', is_known: isKnown = false } = (await explainNoGaps(file)) ?? {};
    const exitCode = result.count === 0 && isKnown ? 0 : 3;
    const { maxAge: maxAgeMs } = config.freshness;
    const age = await readAge(file, { now: context.effects.now(), maxAgeMs });
    if (context.flags.json) {
      const gaps = objectsOf(result);
      context.printJson({
        ok: exitCode === 0,
        exit_code: exitCode,
        ...ageJson(age),
        is_known: isKnown,
        gaps,
        known: objectsOf(known),
      });
    } else if (result.count === 0) {
      context.print(text);
    } else {
      stdout.write(formatResultTable(result, { width: terminalWidth(stdout), hasCounts: true }));
    }
    if (!context.flags.json && known.count > 0) {
      context.print('\nKnown: wrong for three sync days, and asked about once a week');
      stdout.write(formatResultTable(known, { width: terminalWidth(stdout), hasCounts: true }));
    }
    const stale = age === null ? null : staleWords(age);
    if (stale !== null) context.note(`${stale} Later days are no gaps yet.`);
    const queue = await lookAtQueue(config, context);
    if (queue !== null) context.note(queue.text);
    context.next(
      exitCode === 0
        ? ['answerlake report --open', 'the figures as charts']
        : ['answerlake sync', 'ask for these days again'],
    );
    return exitCode;
  });
}
