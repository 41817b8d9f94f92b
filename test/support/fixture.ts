import type { Grain } from '../../src/day.ts';
import type { Parameter } from '../../src/endpoints/endpoint.ts';
import type { Row } from '../../src/endpoints/table.ts';
import type { Scope, Slice } from '../../src/slice.ts';

/** What an endpoint is known by: a documented body, the parameters it is asked with, the rows that come out. */
export interface Fixture {
  /** As documented, with the values that break naive readers. */
  body: unknown;
  /** What the body proves: the rest of a sentence that starts with the endpoint's name. */
  shows: string;
  /** Table → rows, without the columns that come from the slice. */
  rows: Readonly<Record<string, readonly Row[]>>;
  parameters: Parameters;
  /** How its slice differs from one of a whole project. */
  slice?: Partial<Slice>;
}

export interface Parameters {
  /** False where no days are asked for. */
  dates: boolean;
  grains: readonly Grain[];
  /** Between the dates and the filter. */
  own: (grain: Grain) => readonly Parameter[];
  /** Scope → parameter that carries its value. */
  scopes: Readonly<Partial<Record<Scope, string | null>>>;
}

/** A whole project, by day. */
export const datesAlone: Parameters = {
  dates: true,
  grains: ['day'],
  own: () => [],
  scopes: { project: null },
};

export const nothing: Parameters = { ...datesAlone, dates: false };

/** A model, a monitor or a prompt of the project. */
export const fine = { project: null, model: 'model', monitor: 'llmMonitorId', prompt: 'promptId' } as const;
export const finest = { ...fine, prompt_type: 'promptTypes' } as const;

export const allGrains: readonly Grain[] = ['day', 'week', 'month'];
/** `daily` for `day`, and so on. */
export const ADVERBS = { day: 'daily', week: 'weekly', month: 'monthly' } as const satisfies Record<
  Grain,
  string
>;

/** The citation endpoints take the grouping in two parameters, spelled differently. */
export function citationParameters(grain: Grain): readonly Parameter[] {
  return [
    ['range', ADVERBS[grain].toUpperCase()],
    ['granularity', ADVERBS[grain]],
    ['domainLimit', '50'],
    ['includeSelf', 'true'],
  ];
}

/** Epoch milliseconds. */
export function at(instant: string): number {
  return Date.parse(instant);
}
