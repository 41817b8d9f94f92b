import type { Paging, Parameter } from '../endpoints/endpoint.ts';
import { AnswerlakeError } from '../errors.ts';
import { describeSlice, type AnswerPage, type Slice } from '../slice.ts';
import { ApiError } from './api-error.ts';

export type GetPage = (page: number, paging: readonly Parameter[]) => Promise<AnswerPage>;

export interface PageOptions {
  paging: Paging;
  limit: number | null;
  /** Items of a page, where the paging is by number; default: as many as the API allows. */
  pageSize?: number | undefined;
  slice: Slice;
  /** Names that matter, where the paging is by name. */
  wanted?: readonly string[] | undefined;
}

/** No list of this API is that long; an endless one is a broken server. */
export const MAX_PAGES = 1000;

/** One pass through all pages. */
export interface Reading {
  pages: AnswerPage[];
  isProven: boolean;
  /** What is missing when the next reading says the same; null when nothing is. */
  missing: string | null;
  /** Equal for two readings of the same list; null when the list changed during this one. */
  content: string | null;
}

export function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

export function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

export function endless(slice: Slice): AnswerlakeError {
  return new AnswerlakeError(`${describeSlice(slice)}: more than ${String(MAX_PAGES)} pages`, {
    class: 'contract',
    scope: 'slice',
  });
}

/** Null for a refusal; anything else is thrown. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof ApiError && (error.isBadQuestion || error.status === 404)) return null;
  throw error;
}
