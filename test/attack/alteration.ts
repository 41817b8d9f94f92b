import type { Dice } from './dice.ts';

/**
 * What the sync can at best make of an altered answer.
 * `refused`: it can be told from a right one, or says the same. No row may be wrong or lost.
 * `nulled`: an optional field is missing. A cell may be NULL, and nothing else.
 * `believed`: another right answer could look like that, so it is loaded; the next look-back heals it.
 */
export type Belief = 'refused' | 'nulled' | 'believed';

/** A request and its right answer. */
export interface Exchange {
  path: string;
  query: Readonly<Record<string, string>>;
  key: string;
  /** When it was answered, as the header tells. */
  date: string;
  /** The right body; a copy that may be changed. */
  body: unknown;
  /** The right body of the same path with another query. */
  askAgain(change: Readonly<Record<string, string>>): Promise<unknown>;
  /** The same request as it was answered the night before. */
  askStale(): Promise<unknown>;
  /** The same request, answered for another project. */
  askOther(): Promise<unknown>;
}

/** What is sent instead; what is left out stays as it is. */
export interface Altered {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Instead of the body as JSON. */
  text?: (json: string) => string | Buffer;
  /** How the bytes go out, if not at once. */
  manner?: 'drip' | 'cut' | 'reset' | 'hang';
}

export interface Alteration {
  name: string;
  belief: Belief;
  /** Undefined when the answer has nothing that could be altered like this. */
  alter(exchange: Exchange, dice: Dice): Altered | undefined | Promise<Altered | undefined>;
}

const BELIEFS: readonly Belief[] = ['refused', 'nulled', 'believed'];

export function strongestBelief(beliefs: Iterable<Belief>): Belief {
  return BELIEFS[Math.max(0, ...[...beliefs].map((belief) => BELIEFS.indexOf(belief)))] ?? 'refused';
}
