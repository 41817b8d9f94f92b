import type { Day } from '../../src/day.ts';
import type { Endpoint } from '../../src/endpoints/endpoint.ts';
import type { Dice } from './dice.ts';

/**
 * What the contract allows a run to make of an altered answer.
 * `same`: the answer says what the right one says, so the night is as good as a clean one.
 * `seen`: a missing row shows in the exit code, in the gaps or in `meta.vanishing`; nothing wrong is stored.
 * `listed`: like `seen`, but an item of a list that is not stored is only a warning.
 * `absent`: rows are left out. A known one stays until a second night leaves it out too.
 * `nulled`, `zeroed`: figures are NULL or 0. Those that say whether a row holds anything stay until a second night.
 * `older`: the answer was right the night before.
 * `figure`: another right answer could look like that, so it is believed at once.
 */
export type Effect = 'same' | 'seen' | 'listed' | 'absent' | 'nulled' | 'zeroed' | 'older' | 'figure';

/** A request and its right answer. */
export interface Exchange {
  path: string;
  query: URLSearchParams;
  today: Day;
  /** Day of the first night on which answers are altered. */
  since: Day;
  /** The right body; a copy that may be changed. */
  body: unknown;
  /** Chance that is the same on all nights and for all requests that are altered. */
  fixed: Dice;
  /** Chance that is the same on all nights, and differs from request to request. */
  dice: Dice;
  /** First body of the night by path and query, whatever project asked. */
  cache: Map<string, unknown>;
  /** The right body of another question. */
  ask(change: OtherQuestion): unknown;
}

export interface OtherQuestion {
  /** Null leaves the parameter out. */
  query?: Readonly<Record<string, string | null>>;
  /** Asks for the first project of the key. */
  isFirstProject?: boolean;
  /** Asks the server of the night before. */
  isStale?: boolean;
}

/** Replaces the parts of an answer that it names. */
export interface Altered {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

export interface Alteration {
  name: string;
  /** What may come of it at an endpoint; null where it alters nothing. */
  effect(endpoint: Endpoint): Effect | null;
  /** Answers for another project, also where the one that is asked for does not exist. */
  ignoresProject?: boolean;
  /** Undefined when the answer has nothing that could be altered like this. */
  alter(exchange: Exchange): Altered | undefined;
}

export const isSeries = ({ cut }: Endpoint): boolean => cut.kind === 'series';
export const isDated = ({ cut }: Endpoint): boolean => cut.kind === 'series' || cut.kind === 'dated';
export const isWindow = ({ cut }: Endpoint): boolean => cut.kind === 'window';
export const isPaged = ({ paging }: Endpoint): boolean => paging.kind === 'number';
