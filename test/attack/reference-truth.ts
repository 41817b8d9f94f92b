import type { Simulator } from '../../simulator/simulator.ts';
import { addDays } from '../../src/day.ts';
import {
  brandVisibilityTruth,
  citationRanksTruth,
  domainCitationsTruth,
  responseSentimentTruth,
  sentimentTruth,
  shareOfVoiceTruth,
  trafficTruth,
  visibilityTruth,
  type TruthOptions,
  type TruthRow,
} from '../flow/truth.ts';
import { eventsTruth, windowTruths } from '../flow/truth-windows.ts';
import { dayOfNight, KEY, START } from './attacked-api.ts';
import type { NightReport } from './attacked-warehouse.ts';

import { cellOf, rowsOf, type Cells } from './warehouse-content.ts';

/** Tables in which the reference of a night is not, row by row, what its simulator says about a project. */
export function untrueTables(
  reference: NightReport | undefined,
  about: { simulator: Simulator; night: number; projectId: string },
): string[] {
  const { simulator, night, projectId } = about;
  const end = dayOfNight(night);
  const options: TruthOptions = { simulator, apiKey: KEY, projectId, start: START, end };
  const windows = [
    { kind: 'month', start: `${end.slice(0, 8)}01` as typeof end, end },
    { kind: 'last_7_days', start: addDays(end, -7), end: addDays(end, -1) },
  ];
  const truths: Record<string, TruthRow[]> = {
    visibility: visibilityTruth(options),
    sentiment: sentimentTruth(options),
    share_of_voice: shareOfVoiceTruth(options),
    brand_visibility: brandVisibilityTruth(options),
    citation_ranks: citationRanksTruth(options),
    domain_citations: domainCitationsTruth(options, [{ start: START, end }]),
    response_sentiment: responseSentimentTruth(options),
    crawler_requests: trafficTruth(options, 'crawlers'),
    visitor_visits: trafficTruth(options, 'visitors'),
    ...windowTruths(options, windows),
    event_prompts: eventsTruth(options).prompts,
    events: eventsTruth(options).events.map(({ title, prompts, ...row }) => ({
      ...row,
      action_title: title,
      prompt_count: prompts,
    })),
  };
  const isOfNight = (cells: Cells): boolean =>
    (cells['scope'] ?? '"project"') === '"project"' &&
    (cells['grain'] ?? '"day"') === '"day"' &&
    (cells['window_end'] === undefined ||
      windows.some((one) => cells['window_end'] === JSON.stringify(one.end)));
  return Object.entries(truths).flatMap(([table, truth]) => {
    const names = Object.keys(truth[0] ?? {});
    const found = [...rowsOf(reference?.content, table, projectId).values()].filter(isOfNight);
    const left = found.map((cells) => textOf(names, (name) => cells[name] ?? 'null')).toSorted();
    const right = truth.map((row) => textOf(names, (name) => cellOf(row[name] ?? null))).toSorted();
    return (truth.length > 0 || table === 'event_prompts') && JSON.stringify(left) === JSON.stringify(right)
      ? []
      : [`${table}: ${left[0] ?? 'nothing'} and ${right[0] ?? 'nothing'}`];
  });
}

function textOf(names: readonly string[], cell: (name: string) => string): string {
  return names
    .toSorted()
    .map((name) => `${name} ${cell(name)}`)
    .join(', ');
}
