import type { Parameter } from '../../src/endpoints/endpoint.ts';
import { listSlice, type AnswerPage } from '../../src/slice.ts';

export const SLICE = listSlice({
  endpoint: 'brand_visibility',
  projectId: 'p',
  scope: 'project',
  scopeId: 'p',
});

/** A server that answers each request with what `answer` says, and remembers the requests, the values of a repeated name in one text. */
export function server(answer: (query: Record<string, string>) => unknown): {
  getPage: (page: number, paging: readonly Parameter[]) => Promise<AnswerPage>;
  asked: Record<string, string>[];
} {
  const asked: Record<string, string>[] = [];
  return {
    asked,
    getPage: async (page, paging) => {
      const query: Record<string, string> = {};
      for (const [name, value] of paging) query[name] = [query[name] ?? [], value].flat().join(' ');
      asked.push(query);
      return await Promise.resolve({ page, status: 200, fetchedAt: 0, body: answer(query) });
    },
  };
}

export const items = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `item ${String(from + index)}`);
