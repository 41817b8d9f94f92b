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

/** Markers in a lane at the top of a plot, each with a thin line down to the days. */
export function eventLayers(events: readonly EventRow[], height: number): Layer[] {
  return KINDS.flatMap(({ type, token, mark }) => {
    const values = events
      .filter((event) => event.type === type)
      .map((event) => ({ t: dayStartMs(event.date) }));
    if (values.length === 0) return [];
    return [
      {
        data: { values },
        mark: { type: 'rule', aria: false, stroke: ink(token), strokeWidth: 1, opacity: 0.28 },
        encoding: { y: { value: 14 }, y2: { value: height } },
      },
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

/** The events of one day as lines of text. */
export function eventLines(events: readonly EventRow[], date: string): string[] {
  return events.filter((event) => event.date === date).map((event) => `• ${plainLabel(event.title)}`);
}
