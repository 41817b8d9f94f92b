import { expect, it } from 'vitest';
import { openOutput } from '../../src/cli/terminal/io.ts';
import { openProgressLine, showWait, tellLongWaits } from '../../src/cli/terminal/progress-line.ts';
import { formatTable } from '../../src/cli/terminal/result-format.ts';

const NOW_MS = Date.UTC(2026, 2, 1, 8, 17);

const PROGRESS = {
  percent: 56,
  done: 252,
  planned: 450,
  isPlanned: true,
  project: null,
  quotaRemaining: null,
};

/** A line of a terminal, and what it shows. */
function openLine(columns: number, now: () => number) {
  let text = '';
  const stream = { write: (more: string) => (text += more), on: () => 0, isTTY: true, columns };
  const line = openProgressLine(openOutput(stream, {}), now);
  return { line, drawn: () => text.slice(text.lastIndexOf('\u001B[2K') + 4) };
}

it('a wait is shown with its reason and its end, so that the bar does not just freeze', () => {
  const { line, drawn } = openLine(200, () => NOW_MS);
  using _ = line;
  const waits = [
    ['quota.waiting', { resetAt: '2026-03-01T09:00:00.000Z' }],
    ['key.paused', { until: '2026-03-01T08:18:00.000Z' }],
    ['throttle.waiting', { requestsPerMinute: 900, until: '2026-03-01T08:17:40.000Z' }],
    ['request.retried', { path: '/models', reason: 'answered 503' }],
    ['request.slow', { path: '/models' }],
    ['slice.loaded', {}],
  ] as const;
  const shown = waits.map(([event, fields]) => {
    showWait(line, event, fields);
    return drawn();
  });
  expect(shown).toEqual([
    'waiting for the quota until 09:00 UTC, 43m; Ctrl-C is safe',
    'waiting as the server asked until 08:18 UTC, 1m; Ctrl-C is safe',
    'waiting for api.requests_per_minute (900) until 08:17:40 UTC, 40.0 s; Ctrl-C is safe',
    'asking /models again: answered 503',
    'no answer from /models for 10 s',
    'no answer from /models for 10 s',
  ]);
});

it('a quiet run says what it waits for where that takes longer than a minute', () => {
  let text = '';
  const output = openOutput({ write: (more: string) => (text += more), on: () => 0 }, {});
  const waits = tellLongWaits(output, () => NOW_MS);
  showWait(waits, 'key.paused', { until: '2026-03-01T08:18:00.000Z' });
  showWait(waits, 'request.slow', { path: '/models' });
  expect(text).toBe('');
  showWait(waits, 'quota.waiting', { resetAt: '2026-03-01T09:00:00.000Z' });
  expect(text).toBe('waiting for the quota until 09:00 UTC, 43m; Ctrl-C is safe\n');
});

it('the line has bar, project and quota left, and the time left once it is measured', () => {
  let nowMs = NOW_MS;
  const { line, drawn } = openLine(200, () => nowMs);
  using _ = line;
  const progress = { ...PROGRESS, project: 'Acme', quotaRemaining: 1234 };
  line.show(progress);
  const bar = '███████████░░░░░░░░░ 56 % (252/450)';
  expect(drawn()).toBe(`${bar} · Acme · 1,234 requests left this hour`);
  nowMs += 5000;
  line.show(progress);
  expect(drawn()).toBe(`${bar} · Acme · 3.9 s left · 1,234 requests left this hour`);
  line.show({ ...PROGRESS, percent: 100, done: 450 });
  expect(drawn()).toBe(`${'█'.repeat(20)} 100 % (450/450)`);
  line.show({ ...PROGRESS, isPlanned: false });
  expect(drawn()).toBe(`${bar.slice(0, -1)}, more to be planned)`);
});

it('in 80 columns a wait keeps its end and drops the bar, and a stop stays in the line', () => {
  let nowMs = NOW_MS;
  const { line, drawn } = openLine(80, () => nowMs);
  using _ = line;
  line.show(PROGRESS);
  line.wait('waiting for the quota', Date.UTC(2026, 2, 1, 9, 0, 1));
  expect(drawn()).toBe('56 % (252/450) · waiting for the quota until 09:00:01 UTC, 43m 1s');
  line.wait('stopping', Infinity);
  nowMs += 1000;
  line.show({ ...PROGRESS, done: 253 });
  expect(drawn()).toContain('(253/450) · stopping');
});

it('formatTable breaks a word that is longer than its column, and never cuts a number', () => {
  const columns = [{ title: 'id' }, { title: 'n', isNumber: true }];
  const id = '27f9fa58-0ce1-44c4-853a-c8e692af756c';
  const table = formatTable({ columns, rows: [[id, '123456789012']], width: 40 });
  expect(table).toContain('│ 123456789012 │');
  expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
  const parts = [...table.matchAll(/│ ([\da-f-]+) +│/g)].map(([, part]) => part);
  expect(parts.join('')).toBe(id);
});

it('a table of wide letters fits the width', () => {
  const rows = [['日本'.repeat(20), '1']];
  const table = formatTable({
    columns: [{ title: 'text' }, { title: 'n', isNumber: true }],
    rows,
    width: 30,
  });
  for (const line of table.split('\n').slice(3, -1)) {
    expect(line.length + (line.match(/[日本]/g)?.length ?? 0)).toBe(table.indexOf('\n'));
  }
});

it.each([40, 80, 120])('a table in %i columns is as wide, and names the columns that do not fit', (width) => {
  const columns = Array.from({ length: 20 }, (_, index) => ({ title: `column_${String(index)}` }));
  const rows = [columns.map(({ title }) => `${title} has words`)];
  const lines = formatTable({ columns, rows, width }).split('\n');
  const end = lines.findIndex((line) => line.startsWith('└'));
  const shown: readonly string[] = lines[1]?.match(/column_\d+/g) ?? [];
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(lines[0]?.length).toBeGreaterThan(width - 12);
  const hidden = columns.map(({ title }) => title).filter((title) => !shown.includes(title));
  const note = lines.slice(end + 1).join(' ');
  expect(note).toBe(`${String(hidden.length)} columns do not fit: ${hidden.join(', ')}`);
});

it('formatTable takes more rows than a call takes arguments', () => {
  const rows = Array.from({ length: 130_000 }, () => ['x']);
  expect(formatTable({ columns: [{ title: 'a' }], rows }).length).toBeGreaterThan(rows.length);
});
