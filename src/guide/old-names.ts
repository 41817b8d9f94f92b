import { AnswerlakeError } from '../errors.ts';

/** Columns that `main` does not have, and where they are. */
const MOVED: Readonly<Record<string, string>> = {
  scope:
    'main holds whole projects: the filters are in detail.<view> (describe detail.<view>), models and monitors in model_kpis and monitor_kpis',
  scope_id: 'main holds whole projects: the filters are in detail.<view>',
  grain:
    'main holds whole days: weeks and months of the API are in detail.<view>, and calendar has week_start and month_start',
  window_kind: 'main holds whole calendar months: rolling windows are in detail.<view>',
  is_whole_day: 'days of main are whole: the running day is in detail.<view>',
  is_whole_window: 'months of main are whole: the running one is in detail.<view>',
  total_responses:
    'it is organic_responses (share of voice, daily_kpis, prompts) or all_responses (brands, summary)',
  brand_mentions: 'it is organic_brand_mentions',
  total_brand_mentions: 'it is all_brand_mentions',
  prompt_set_changed: 'it is setup_change_titles',
  exceeds_typical: 'it is is_clear',
};

/** The error of a query, with what is known of the column that it lacks. */
export function withHint(error: unknown): unknown {
  if (!(error instanceof AnswerlakeError)) return error;
  const name = /(?:column|named) "([^"]+)"/.exec(error.message)?.[1]?.toLowerCase() ?? '';
  const isEffect = name.endsWith('_exceeds_typical');
  const moved = isEffect ? `it is ${name.replace('exceeds_typical', 'is_clear')}` : MOVED[name];
  if (moved === undefined) return error;
  return new AnswerlakeError(`${error.message}\n${name}: ${moved}.`, { class: error.class, cause: error });
}
