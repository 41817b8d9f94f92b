import type { LegendItem } from '../chart.ts';
import { plainLabel } from '../label.ts';
import { dayStartMs } from '../numbers.ts';
import { ink } from '../palette.ts';
import type { Layer } from '../plot.ts';
import type { EventRow } from '../rows.ts';

const KINDS = [
  { type: 'action', label: 'Action completed', shape: 'diamond', token: 'rival1', mark: 'diamond' },
  { type: 'prompts_created', label: 'Prompts created', shape: 'up', token: 'rival2', mark: 'triangle-up' },
  {
    type: 'prompts_deleted',
    label: 'Prompts deleted',
    shape: 'down',
    token: 'rival3',
    mark: 'triangle-down',
  },
] as const;

/** With more days than these, lines down to the days would hide what they point at. */
const MOST_LINES = 30;
/** Events of one day that are named one by one. */
const MOST_NAMED = 5;

/** Markers in a lane at the top of a plot, one a day and kind, with a thin line down to the day while they are few. */
export function eventLayers(events: readonly EventRow[], height: number): Layer[] {
  const hasLines = new Set(events.map(({ date }) => date)).size <= MOST_LINES;
  return KINDS.flatMap(({ type, token, mark }) => {
    const days = new Set(events.filter((event) => event.type === type).map(({ date }) => date));
    const values = [...days].map((day) => ({ t: dayStartMs(day) }));
    if (values.length === 0) return [];
    const lines = [
      {
        data: { values },
        mark: { type: 'rule', aria: false, stroke: ink(token), strokeWidth: 1, opacity: 0.28 },
        encoding: { y: { value: 14 }, y2: { value: height } },
      },
    ];
    return [
      ...(hasLines ? lines : []),
      {
        data: { values },
        mark: {
          type: 'point',
          aria: false,
          shape: mark,
          filled: true,
          size: 58,
          opacity: 1,
          fill: ink(token),
          stroke: ink('card'),
          strokeWidth: 1,
        },
        encoding: { y: { value: 8 } },
      },
    ];
  });
}

export function eventLegend(events: readonly EventRow[]): LegendItem[] {
  return KINDS.filter(({ type }) => events.some((event) => event.type === type)).map(
    ({ label, token, shape }) => ({ label, token, shape }),
  );
}

/** Titles of the events of one day. */
export function eventTitles(events: readonly EventRow[], date: string): string[] {
  return events.filter((event) => event.date === date).map((event) => plainLabel(event.title));
}

/** The same as lines beside the pointer. */
export function eventLines(events: readonly EventRow[], date: string): string[] {
  const titles = eventTitles(events, date);
  const more = titles.length - MOST_NAMED;
  return [...titles.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].map(
    (title) => `• ${title}`,
  );
}
