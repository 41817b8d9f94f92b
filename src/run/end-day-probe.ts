import type { Reached } from '../accounts/reach-projects.ts';
import { addDays, minDay, toDay } from '../day.ts';
import { endpointNamed } from '../endpoints/catalogue.ts';
import { learnEndDays } from '../load/learned.ts';
import { askedStart } from '../plan/cut.ts';
import type { SliceJob } from './ask.ts';
import type { Pulling } from './pulling.ts';
import { endpointPlan } from './selection.ts';
import type { SliceResult } from './slice-result.ts';

/**
 * One request for each path of which it is not known whether `endDate` counts: it ends on a day that an answer of this
 * run has. If that day is missing now, the end day is left out.
 */
export function planProbes(
  { config, ends, longest, run }: Pulling,
  { projects }: Reached,
  results: readonly SliceResult[],
): SliceJob[] {
  const jobs = new Map<string, SliceJob>();
  for (const { slice, newestDay } of results) {
    const endpoint = endpointNamed(slice.endpoint);
    const isDaily = slice.kind === 'dated' || (slice.kind === 'series' && slice.grain === 'day');
    if (!isDaily || newestDay === null || newestDay >= run.syncDay) continue;
    const path = ends.pathOf(slice.endpoint);
    if (jobs.has(path) || ends.shown(slice.endpoint) !== null) continue;
    const project = projects.find(({ projectId }) => projectId === slice.projectId);
    if (project === undefined) continue;
    const end = toDay(newestDay);
    // As many days as were answered: of fewer, those without data may have fewer rows, which looks suspicious. Two at
    // least: a server that leaves out the end may refuse a window that starts on it.
    const window = { start: minDay(slice.window.start, addDays(end, -1)), end };
    const leadPeriods = endpoint.cut.kind === 'series' ? endpoint.cut.leadPeriods : 0;
    const asked = { start: askedStart(window, { grain: 'day', leadPeriods }), end };
    const { limit } = endpointPlan(config, endpoint, { longest, ends });
    const { account, projectHeader } = project;
    jobs.set(path, {
      planned: { slice: { ...slice, window }, asked, limit },
      account,
      projectHeader,
    });
  }
  return [...jobs.values()];
}

/** Learns from the probes, and says whether it did; a day that was there is counted, which the loader has seen already. */
export async function learnFromProbes(
  { connection, ends, run, log }: Pulling,
  results: readonly SliceResult[],
): Promise<boolean> {
  let hasLearned = false;
  for (const { slice, status, failure } of results) {
    const isAnswered = failure === null && (status === 'loaded' || status === 'empty');
    if (!isAnswered || ends.shown(slice.endpoint) !== null) continue;
    ends.learn(slice.endpoint, false);
    await learnEndDays(connection, run, {
      endpoints: ends.alike(slice.endpoint),
      isCounted: false,
    });
    log.info('limit.learned', { endpoint: slice.endpoint, end_inclusive: false });
    hasLearned = true;
  }
  return hasLearned;
}
