import { existsSync } from 'node:fs';
import { z } from 'zod';
import { openPublishedFile } from '../../publish/published-file.ts';
import { withSign } from '../../report/text.ts';
import { PART_WORDS } from '../../report/why-chart.ts';

/** What is smaller is 0.0 in print. */
const LEAST_POINTS = 0.05;

const partRow = z.object({
  project_id: z.string(),
  project: z.string(),
  before: z.number(),
  after: z.number(),
  change: z.number(),
  typical: z.number().nullable(),
  part: z.string(),
  points: z.number(),
});

/** Why the visibility of each project moved over the last 7 days against the 7 before, largest change first; empty where it is not told. */
export async function readWeek(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  await using file = await openPublishedFile(path, { threads: 1 });
  const rows = await file.rowsAs(
    partRow,
    `select project_id, coalesce(project_name, project_id) as project, visibility_before as before, visibility_after as after,
       change, typical_change as typical, part, points
     from main.why_visibility_moved
     where window_days = 7 and not_told is null and change is not null and points is not null
     order by abs(change) desc, project_id, abs(points) desc, part`,
  );
  const ids = new Set(rows.map((row) => row.project_id));
  return [...ids].map((id) => lineOf(rows.filter((row) => row.project_id === id)));
}

/** `Fernhill −9.1 (54.2 to 45.1): new prompts −8.7, real change −0.4`. */
function lineOf(parts: readonly z.output<typeof partRow>[]): string {
  const [first] = parts;
  if (first === undefined) return '';
  const { project, change, before, after, typical } = first;
  const points = (value: number): string => withSign(value, (size) => size.toFixed(1));
  const told = parts
    .filter((one) => Math.abs(one.points) >= LEAST_POINTS)
    .map((one) => `${(PART_WORDS[one.part] ?? one.part).toLowerCase()} ${points(one.points)}`);
  const usual = typical !== null && Math.abs(change) <= typical ? ', within its usual range' : '';
  const why = told.length === 0 ? '' : `: ${told.join(', ')}`;
  return `${project} ${points(change)} (${before.toFixed(1)} to ${after.toFixed(1)}${usual})${why}`;
}
