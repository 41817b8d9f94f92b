import { z } from 'zod';
import { isDay } from '../day.ts';
import { section, text } from './rules.ts';

/** What a goal can be set for: the measures of `main.measure_days`. */
export const MEASURES = [
  'visibility',
  'sentiment',
  'share_of_voice',
  'net_sentiment_known',
  'citations',
  'crawler_requests',
  'ai_visits',
] as const;

/** The goals that `main.targets` shows, at most one for each project and measure. */
export function targetList() {
  const target = section({
    project: z.string().min(1).describe('id of the project (in quotes), for example project: "8f14e45f"'),
    measure: z.enum(MEASURES).describe('measure of the goal, for example measure: visibility'),
    goal: z.number().describe('value to reach, as main.kpi_changes shows it, for example goal: 45'),
    by: text((day) =>
      isDay(day) ? undefined : 'is not a calendar day: write it as YYYY-MM-DD, for example 2027-01-01',
    ).describe('day by which to reach it, for example by: 2027-01-01'),
  });
  return z
    .array(target)
    .superRefine((targets, context) => {
      const seen = new Set<string>();
      for (const [index, { project, measure }] of targets.entries()) {
        const name = JSON.stringify([project, measure]);
        if (seen.has(name)) {
          const message = `has a second goal for ${measure} of project ${project}: keep one`;
          context.addIssue({ code: 'custom', path: [index], message });
        }
        seen.add(name);
      }
    })
    .default([])
    .describe('goals that main.targets compares with the figures; none by default');
}
