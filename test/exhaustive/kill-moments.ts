import type { RequestRecord } from '../../simulator/request-record.ts';

/** When a process is killed. */
export type Moment =
  | { name: string; request: (request: RequestRecord) => boolean }
  | { name: string; file: RegExp; fresh?: true }
  | { name: string; afterMs: number };

const path = (end: string) => (request: RequestRecord) => request.path.endsWith(end);

export const NAMED: readonly Moment[] = [
  { name: 'the key is asked for', request: path('/v2/auth/validate') },
  { name: 'the model list is asked for', request: path('/models') },
  { name: 'the prompt list is asked for', request: path('/prompts') },
  { name: 'the first events are asked for', request: path('/events') },
  { name: 'the first series is asked for', request: path('/visibility-time-series') },
  { name: 'the last series is asked for', request: path('/visitors/trend') },
  { name: 'the first window is asked for', request: path('/competitor-heatmap') },
  { name: 'the last window is asked for', request: path('/responses/summary') },
  {
    name: 'the first finer scope is asked for',
    request: ({ query }) => query.some(([name]) => name === 'models' || name === 'llmMonitorId'),
  },
  { name: 'the working file is being made', file: /\.work\.duckdb\.new-/, fresh: true },
  { name: 'the working file is put in place', file: /\.work\.duckdb$/, fresh: true },
  { name: 'the write-ahead log is written', file: /\.work\.duckdb\.wal$/ },
  { name: 'the working file is copied without its free blocks', file: /\.work\.duckdb\.new-/ },
  { name: 'the raw archive begins', file: /^raw$/, fresh: true },
  { name: 'the copy for readers begins', file: /\.publish-.*\.duckdb$/ },
  { name: 'the copy for readers is put in place', file: /^answers\.duckdb$/ },
];
