import { z } from 'zod';
import { count, maybeMeasure, measure, NEVER } from './column.ts';
import { defineEndpoint, defineFlatEndpoint } from './endpoint.ts';
import * as field from './field.ts';
import { listBody, wholeBodyWith } from './item.ts';
import { GRAINS } from '../day.ts';

const scopes = { project: null, model: 'model', monitor: 'llmMonitorId', prompt: 'promptId' } as const;

const OVER_PERIODS = { adds: 'over periods of one grain, not over scopes' } as const;
const PERCENT = { unit: 'percent', ...NEVER } as const;
const POINTS = { unit: 'percentage points', ...NEVER } as const;

/** Share of voice by period; requested from one period earlier, because the first bucket has no previous one. */
export const shareOfVoice = defineFlatEndpoint({
  name: 'share_of_voice',
  path: '/api/v1/share-of-voice/time-series',
  cut: { kind: 'series', grains: GRAINS, leadPeriods: 1 },
  scopes,
  params: (_, grain) => [['range', grain]],
  ...listBody,
  table: {
    table: 'share_of_voice',
    shape: 'series',
    about: 'Share of voice of your brand',
    columns: {
      totalResponses: count('Organic responses in the period.', OVER_PERIODS),
      brandMentions: count('Responses that mention your brand.', OVER_PERIODS),
      shareOfVoice: measure('Brand mentions per organic response, {unit} 0 to 100.', {
        ...PERCENT,
        instead: 'compute from the counts',
      }),
      previousPeriodShareOfVoice: maybeMeasure('Share of voice of the period before, {unit}.', PERCENT),
      change: maybeMeasure('Change against the period before, {unit}.', POINTS),
    },
    // Undocumented: whether a preceding period without data counts as the previous one.
    ofPeriodBefore: ['previous_period_share_of_voice', 'change'],
  },
});

const share = z.object({
  totalResponses: field.count,
  brandMentions: field.count,
  shareOfVoice: field.measure,
});

const comparison = z.object({
  current: field.side(share),
  previous: field.side(share),
  change: field.maybeMeasure,
  changePercent: field.maybeMeasure,
});
type Comparison = z.output<typeof comparison>;

/** The columns of one of the two windows. */
function sharesOf(side: 'current' | 'previous', window: string) {
  return {
    [`${side}_total_responses`]: count(
      `Organic responses in the ${window}.`,
      { adds: 'not over windows' },
      (found: Comparison) => found[side]?.totalResponses,
    ),
    [`${side}_brand_mentions`]: count(
      `Responses that mention your brand, in the ${window}.`,
      { adds: 'not over windows' },
      (found: Comparison) => found[side]?.brandMentions,
    ),
    [`${side}_share_of_voice`]: measure(
      `Share of voice in the ${window}, {unit}.`,
      PERCENT,
      (found: Comparison) => found[side]?.shareOfVoice,
    ),
  };
}

/** Share of voice of a window against the window before. */
export const shareOfVoiceComparison = defineEndpoint({
  name: 'share_of_voice_comparison',
  path: '/api/v1/share-of-voice/comparison',
  cut: { kind: 'window', series: 'share_of_voice' },
  scopes,
  ...wholeBodyWith('current'),
  documented: comparison,
  item: comparison,
  outputs: [
    {
      table: 'share_of_voice_comparison',
      shape: 'window',
      about: 'Share of voice of the window and of the one before',
      columns: {
        ...sharesOf('current', 'window'),
        ...sharesOf('previous', 'window before'),
        change: maybeMeasure('Change, {unit}.', POINTS),
        changePercent: maybeMeasure('Change relative to the window before, {unit}.', PERCENT),
      },
    },
  ],
});
