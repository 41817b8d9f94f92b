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
])('the first example for "%s" is %s', (words, name) => {
  expect(searchExamples(words)[0]?.name).toBe(name);
});
