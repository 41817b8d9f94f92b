import { countDays, dayOf, type Day } from '../../day.ts';
import type { FinishedRun } from './finished-run.ts';
import type { JobTold, Told } from './told-file.ts';

/** An endpoint of a project whose answers end too early. */
export interface EndpointAge {
  project: string;
  endpoint: string;
  /** Newest day that will not change any more. */
  newestFinalDay: Day;
}

/** What is worth a message. */
export type News =
  | { kind: 'failure' | 'partial'; run: FinishedRun; since: string; isRepeat: boolean }
  | { kind: 'recovery'; run: FinishedRun; since: string }
  | { kind: 'stale'; stale: readonly EndpointAge[]; limitDays: number }
  | { kind: 'fresh'; since: string };

export interface NewsQuestion {
  run: FinishedRun;
  told: Told;
  /** Null when nothing is known, for example because nothing was published yet. */
  ages: readonly EndpointAge[] | null;
  lookbackDays: number;
  /** Milliseconds since the epoch. */
  now: number;
}

const LATE_DAYS = 2;
const REPEAT_MS = 6 * 3_600_000;
const STALE_REPEAT_MS = 24 * 3_600_000;

/** Says what there is to tell, and what stands as told when nobody could be reached. */
export function decideNews(question: NewsQuestion): { news: News[]; told: Told } {
  const runNews = decideRunNews(question);
  const staleNews = decideStaleNews(question);
  return {
    news: [...runNews.news, ...staleNews.news],
    told: { version: 1, jobs: runNews.jobs, stale: staleNews.stale },
  };
}

/** What stands as told after a message went out. */
export function remember(told: Told, news: News, now: number): Told {
  const toldAt = new Date(now).toISOString();
  switch (news.kind) {
    case 'failure':
    case 'partial':
    case 'recovery': {
      const name = news.run.job ?? '';
      const job = told.jobs[name];
      if (job === undefined) return told;
      const trouble =
        news.kind === 'recovery' || job.trouble === null ? null : { ...job.trouble, told_at: toldAt };
      return { ...told, jobs: { ...told.jobs, [name]: { ...job, trouble } } };
    }
    case 'stale':
      return {
        ...told,
        stale: told.stale === null ? null : { ...told.stale, told_at: toldAt },
      };
    case 'fresh':
      return { ...told, stale: null };
    default:
      return news satisfies never;
  }
}

function decideRunNews({ run, told, now }: NewsQuestion): { news: News[]; jobs: Told['jobs'] } {
  const name = run.job ?? '';
  const kind = troubleOf(run);
  // A stop by hand and a run that found another one at work say nothing about the data.
  if (kind === 'none') return { news: [], jobs: told.jobs };
  const jobsWith = (trouble: JobTold['trouble']): Told['jobs'] => ({
    ...told.jobs,
    [name]: { trouble },
  });
  const old = told.jobs[name]?.trouble ?? null;
  if (kind === 'ok') {
    return { news: old === null ? [] : [{ kind: 'recovery', run, since: old.since }], jobs: jobsWith(old) };
  }
  const isSame = old !== null && old.kind === kind && old.exit_code === run.exit_code;
  const toldAt = isSame ? old.told_at : null;
  const since = old?.since ?? run.started_at;
  const isDue = toldAt === null || now - Date.parse(toldAt) >= REPEAT_MS;
  return {
    news: isDue ? [{ kind, run, since, isRepeat: toldAt !== null }] : [],
    jobs: jobsWith({ kind, exit_code: run.exit_code, since, told_at: toldAt }),
  };
}

function troubleOf(run: FinishedRun): 'ok' | 'none' | 'failure' | 'partial' {
  if (run.status === 'stopped' || run.exit_code === 6) return 'none';
  if (run.status === 'failed') return 'failure';
  return run.status === 'ok' ? 'ok' : 'partial';
}

function decideStaleNews({ told, ages, lookbackDays, now }: NewsQuestion): {
  news: News[];
  stale: Told['stale'];
} {
  const old = told.stale;
  if (ages === null) return { news: [], stale: old };
  const limitDays = lookbackDays + LATE_DAYS;
  const today = dayOf(now);
  const stale = ages.filter(({ newestFinalDay }) => countDays(newestFinalDay, today) - 1 > limitDays);
  if (stale.length === 0) {
    return { news: old === null ? [] : [{ kind: 'fresh', since: old.since }], stale: old };
  }
  const toldAt = old?.told_at ?? null;
  const isDue = toldAt === null || now - Date.parse(toldAt) >= STALE_REPEAT_MS;
  return {
    news: isDue ? [{ kind: 'stale', stale, limitDays }] : [],
    stale: { since: old?.since ?? new Date(now).toISOString(), told_at: toldAt },
  };
}
