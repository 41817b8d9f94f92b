import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { count, dateOf, day, maybeMeasure, measure, side } from './field.ts';
import { listBody, wholeBodyWith } from './item.ts';
import { fields } from './table.ts';
import { GRAINS } from '../day.ts';

const scopes = { project: null, model: 'model', monitor: 'llmMonitorId', prompt: 'promptId' } as const;

const share = z.object({ totalResponses: count, brandMentions: count, shareOfVoice: measure });
const sharePoint = share.extend({
  date: day,
  previousPeriodShareOfVoice: maybeMeasure,
  change: maybeMeasure,
});

/** Share of voice by period; asked from one period earlier, because the first bucket has no previous one. */
export const shareOfVoice = defineEndpoint({
  name: 'share_of_voice',
  path: '/api/v1/share-of-voice/time-series',
  cut: { kind: 'series', grains: GRAINS, leadPeriods: 1 },
  scopes,
  params: (_, grain) => [['range', grain]],
  ...listBody,
  item: sharePoint,
  outputs: [
    {
      table: 'share_of_voice',
      shape: 'series',
      key: { date: dateOf },
      columns: fields(
        'totalResponses',
        'brandMentions',
        'shareOfVoice',
        'previousPeriodShareOfVoice',
        'change',
      ),
      // The documents do not say whether a period before one without data counts as the previous one.
      ofPeriodBefore: ['previous_period_share_of_voice', 'change'],
    },
  ],
});

const comparison = z.object({
  current: side(share),
  previous: side(share),
  change: maybeMeasure,
  changePercent: maybeMeasure,
});

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
      columns: {
        current_total_responses: ({ current }) => current?.totalResponses,
        current_brand_mentions: ({ current }) => current?.brandMentions,
        current_share_of_voice: ({ current }) => current?.shareOfVoice,
        previous_total_responses: ({ previous }) => previous?.totalResponses,
        previous_brand_mentions: ({ previous }) => previous?.brandMentions,
        previous_share_of_voice: ({ previous }) => previous?.shareOfVoice,
        ...fields('change', 'changePercent'),
      },
    },
  ],
});
