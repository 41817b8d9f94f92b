import { expect, it } from 'vitest';
import { searchExamples } from '../../src/guide/examples.ts';

it.each([
  ['how many visitors came from ChatGPT', 'vendors_from_crawl_to_visit'],
  ['which competitor is ahead', 'gap_to_strongest_competitor'],
  ['did our content work pay off', 'actions_that_moved_visibility'],
  ['compare this month with last month', 'month_over_month'],
  ['weekly report for client', 'all_clients_at_once'],
  ['negative answers', 'sentiment_after_events'],
  ['why did our score drop', 'why_visibility_moved'],
  ['are we on target', 'targets_on_course'],
  ['best prompts', 'best_and_worst_prompts'],
  ['which sources did we lose', 'new_and_lost_domains'],
  ['which pages do bots read most', 'pages_crawlers_ask_for'],
  ['is the data fresh', 'freshness_and_gaps'],
  ['new rivals we do not track', 'untracked_rivals'],
  ['why did visibility drop last month', 'why_visibility_moved'],
  ['are we on track for our goal', 'targets_on_course'],
  ['prompts where we never appear', 'best_and_worst_prompts'],
  ['is chatgpt or gemini better for us', 'share_of_voice_by_model'],
  ['can i trust yesterdays numbers', 'days_to_trust'],
  ['new competitors showing up', 'untracked_rivals'],
  ['domains that stopped citing us', 'new_and_lost_domains'],
  ['share of voice by week', 'weeks_with_changed_prompts'],
  ["a figure in last month's report is different now", 'restated_since_monthly_report'],
  ['clients that need attention', 'all_clients_at_once'],
])('the first example for "%s" is %s', (words, name) => {
  expect(searchExamples(words)[0]?.name).toBe(name);
});
