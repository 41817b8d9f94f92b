import { existsSync } from 'node:fs';
import { z } from 'zod';
import { verdictOn, type Verdict } from '../check/verdict.ts';
import { openPublishedFile } from '../publish/published-file.ts';
import { quoteLiteral } from '../warehouse/sql.ts';

/** Beyond these, `why_visibility_moved` does not tell its parts either. */
const MAX_COUNT_ERROR = 0.05;
const MAX_POINTS_ERROR = 1;

const nightsRow = z.object({
  first: z.string(),
  last: z.string(),
  listed_responses: z.number(),
  listed_visibility: z.number(),
  responses: z.number(),
  visibility: z.number(),
  removed: z.boolean(),
});

/**
 * Whether the prompt list holds running totals: two stored nights of it against the daily figures of your own brand between
 * them. Asks the server nothing.
 */
export async function nightsVerdict(path: string, projectId: string): Promise<Verdict> {
  const say = (verdict: Verdict['verdict'], text: string): Verdict =>
    verdictOn('running totals', 'prompts', [verdict, text]);
  const unknown = say('cannot tell', 'two nights of the prompt list, a week apart, are not stored yet');
  if (!existsSync(path)) return unknown;
  await using file = await openPublishedFile(path, { threads: 1 });
  // A file of another version may lack what this reads.
  const [seen] = await file.rowsAs(nightsRow, nightsSql(projectId)).catch(() => []);
  if (seen === undefined) return unknown;
  const { listed_responses: listed, responses } = seen;
  const isCounted = Math.abs(listed - responses) <= MAX_COUNT_ERROR * responses;
  const isRated = Math.abs(seen.listed_visibility - seen.visibility) <= MAX_POINTS_ERROR;
  const detail = `${seen.first} to ${seen.last}: ${String(listed)} answers, visibility ${seen.listed_visibility.toFixed(1)}; by day ${String(responses)}, ${seen.visibility.toFixed(1)}`;
  if (isCounted && isRated)
    return { ...say('as documented', 'the prompt list holds running totals of all answers'), detail };
  if (seen.removed)
    return { ...say('cannot tell', 'prompts were removed between the two stored nights'), detail };
  return {
    ...say(
      'nothing to set',
      'the prompt list contradicts the daily figures, so why_visibility_moved stays empty',
    ),
    detail,
  };
}

const nightsSql = (projectId: string): string => `
with periods as (
  select middle_night, to_night, responses_after, visibility_after
  from detail.visibility_periods
  where project_id = ${quoteLiteral(projectId)} and responses_after > 0
  order by window_days limit 1
),
lists as (
  select
    sum(s.amount_of_responses) filter (where s.date = p.middle_night) as first_n,
    sum(s.amount_of_responses) filter (where s.date = p.to_night) as last_n,
    sum(s.amount_of_responses * s.average_visibility) filter (where s.date = p.middle_night) as first_score,
    sum(s.amount_of_responses * s.average_visibility) filter (where s.date = p.to_night) as last_score,
    count(distinct s.prompt_id) > count(distinct s.prompt_id) filter (where s.date = p.to_night) as removed
  from core.prompt_snapshots s
  join periods p on s.date in (p.middle_night, p.to_night)
  where s.project_id = ${quoteLiteral(projectId)}
)
select cast(p.middle_night as varchar) as first, cast(p.to_night - 1 as varchar) as last,
  cast(l.last_n - l.first_n as double) as listed_responses, (l.last_score - l.first_score) / (l.last_n - l.first_n) as listed_visibility,
  p.responses_after as responses, p.visibility_after as visibility, l.removed
from periods p, lists l
where l.last_n > l.first_n and p.visibility_after is not null and l.last_score is not null and l.first_score is not null`;
