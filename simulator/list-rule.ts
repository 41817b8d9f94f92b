import type { ParameterRules, Parameters } from './parameters.ts';
import type { WorldProject } from './world.ts';

export type ListEntry = Readonly<Record<string, unknown>>;

/** How a list is cut into pages: by number with totals, by offset with a total, or by a cursor that only the answer before names. */
export interface Paging {
  by: 'number' | 'offset' | 'cursor';
  /** Entries of a page where the request does not say; default 50. */
  size?: number;
  /** Default 100. */
  maxSize?: number;
}

/** What the entries of a list depend on. */
export interface ListQuestion {
  project: WorldProject;
  parameters: Parameters;
  /** The `{id}` of the path, decoded. */
  id: string;
}

/** A list that a route serves. */
export interface ListRule<Question = ListQuestion> {
  version?: 'v1' | 'v2';
  /** The path after the version, `{id}` for the one variable part. */
  endpoint: string;
  /** Dotted path of the list in the answer; left out: the answer is the list. */
  rows?: string;
  /** Left out: one page. */
  pages?: Paging;
  /** Parameters besides those of pages. */
  rules?: ParameterRules;
  /** All entries that the request asks for, in order. */
  entries: (question: Question) => readonly ListEntry[];
}
