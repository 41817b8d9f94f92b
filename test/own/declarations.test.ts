import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { readDeclarations } from '../../src/config/declarations.ts';
import { loadConfig } from '../../src/config/file.ts';
import { KEY, MINIMAL, openWorkspace } from '../config/loaded.ts';
import { openFolder } from '../support/folder.ts';

/** The problems of some files, each as its line, path and words. */
function problemsOf(files: Readonly<Record<string, string>>): string[] {
  const folder = openFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return readDeclarations(folder).problems.map(({ file, line, path, message }) =>
    `${file}:${String(line)} ${path}: ${message}`.replaceAll(`${folder}/`, ''),
  );
}

const LIST = 'path: /api/v2/tags\nkey: [id]\n';

it.each([
  ['querry: { a: b }', '3 querry: unknown setting; did you mean query?'],
  ['columns: { txt: [a] }', '3 columns.txt: unknown setting; did you mean text?'],
  ['pages: { by: number, names: { totl: n } }', '3 pages.names.totl: unknown setting; did you mean total?'],
  ['pages: numbers', '3 pages.by: Invalid'],
  ['keep_days: 3', '3 keep_days: belongs to ask: dated, but this is ask: list'],
  ['columns: { text: [projectId] }', '3 columns: projectId would be the column project_id'],
  ['columns: { text: [a.b, a_b] }', '3 columns: a_b would be the column a_b, which appears twice'],
  ['query: { apiKey: x }', '3 query.apiKey: looks like a key or password'],
  ['query: { a: pk1live2abcdefghijklmnopqrst }', '3 query.a: has a value that looks like a key'],
  ["query: { a: '{today}' }", '3 query.a: has {today}, but can have only {first_day} and {id}'],
  ["query: { a: '{id}' }", '3 query.a: has {id}, but no for names the parent'],
  ['for: prompts', '3 for: needs {id} in path or in query'],
  ['for: topics\nquery: { t: "{id}" }', '3 for: topics is not a list with one field in its key'],
  ['notes: { nme: x }', '3 notes.nme: is about a field that is not a column'],
  ['columns: { text: [a] }\nleave_out: [a]', '4 leave_out: cuts out a, which is read'],
  ['columns: { text: [a.b] }\nleave_out: [a]', '4 leave_out: cuts out a.b, which is read'],
  ['each: { l: { count: n, text: [b] } }\nleave_out: [n]', '4 leave_out: cuts out n, which is read'],
  ['rows: data.items\nleave_out: [data]', '4 leave_out: cuts out data.items, which is read'],
  // A list of its own gives its table that column.
  [
    'columns: { boolean: [lIsCutOff] }\neach: { l: { count: n, text: [b] } }',
    '3 columns: lIsCutOff would be the column l_is_cut_off, which appears twice',
  ],
  ['columns: { text: [a as b c] }', '3 columns: a as b c is no FIELD as NAME'],
  ['pages: { by: offset, names: { offset: o, limit: o } }', '3 pages: sends o, which is sent already'],
  ['ask: series\nscopes: { persona: p }', '4 scopes.persona: unknown setting; there is: model,'],
  ['ask: series\nscopes: {}', '4 scopes: needs one of model, monitor, prompt, prompt_type'],
  ['query: { a: { b: 1 } }', '3 query.a: must be a value, or a list of values'],
  ['pages: number\nlimit: { limit: 5 }', '4 limit: is for an answer of one page'],
])('a file with %j is refused with its line: %s', (more, expected) => {
  expect(problemsOf({ 'tags.yaml': `${LIST}${more}\n` }).join('\n')).toContain(`tags.yaml:${expected}`);
});

it.each([
  ['%2e%2e/secret', '/api/%2e%2e/admin'],
  ['a query', '/api/v2/tags?a=b'],
  ['another host', '//example.com/a'],
])('a path with %s is refused', (_what, path) => {
  expect(problemsOf({ 'tags.yaml': `path: '${path}'\nkey: [id]\n` })[0]).toContain(
    'must be a path below the base URL',
  );
});

test('one parameter is sent by one word, and a path has no template but {id}', () => {
  const files = {
    'a.yaml': 'path: /a\nask: series\ndays: [day, day]\n',
    'b.yaml': 'path: /b\nask: series\nscopes: { monitor: m, model: endDate }\ndays: [start, endDate]\n',
    'c.yaml': 'path: /c/{first_day}\nkey: [id]\n',
    'e.yaml': 'path: /e\nask: series\nquery: { startDate: x }\n',
    'd.yaml': 'path: /d\nkey: [id]\npages: number\nquery: { total: 3 }\n',
  };
  expect(problemsOf(files)).toEqual([
    expect.stringContaining('a.yaml:3 days: sends day, which is sent already'),
    expect.stringContaining('b.yaml:3 scopes: sends endDate, which is sent already'),
    expect.stringContaining('c.yaml:1 path: has {first_day}, but can have only {id}'),
    expect.stringContaining('e.yaml:3 query.startDate: is sent by another setting of this file'),
  ]);
});

it.each([
  ['visibility.yaml', 'visibility is a built-in table'],
  ['daily_kpis.yaml', 'daily_kpis is a built-in view'],
  ['core.yaml', 'core is a word of answerlake'],
  ['all.yaml', 'all is a word of answerlake'],
  ['information_schema.yaml', 'information_schema is a word of answerlake'],
  ['pg_catalog.yaml', 'pg_catalog is a word of answerlake'],
  ['runs.yaml', 'runs is a built-in table'],
  ['Tags.yaml', 'Tags is not a valid name (lower-case letters'],
  ['tags.yml', 'is not read: call it tags.yaml'],
  ['tags.YAML', 'is not read: call it tags.yaml'],
])('a file called %s is refused', (file, expected) => {
  expect(problemsOf({ [file]: LIST })).toEqual([expect.stringContaining(expected)]);
});

test('a first day that has not begun is refused', () => {
  const folder = openFolder();
  writeFileSync(join(folder, 'days.yaml'), 'path: /days\nask: series\nstart_date: 2026-11-02\n');
  const problems = (today: string) => readDeclarations(folder, { today: toDay(today) }).problems;
  const message: unknown = expect.stringMatching(/^is in the future .today is 2026-11-01 UTC/);
  expect(problems('2026-11-01')).toMatchObject([{ line: 3, path: 'start_date', message }]);
  expect(problems('2026-11-02')).toEqual([]);
});

test('two files cannot fill one table', () => {
  const files = { 'a.yaml': `${LIST}each: { b: text }\n`, 'a_b.yaml': LIST };
  expect(problemsOf(files)).toEqual(['a.yaml:1 : a_b is taken by a_b.yaml: rename the file']);
});

test('all problems of all files come at once with those of the configuration, and those of commands that read alone do not stop them', () => {
  const { directory, write } = openWorkspace();
  mkdirSync(join(directory, 'endpoints'));
  write('endpoints/a.yaml', 'path: /a\n');
  write('endpoints/b.yaml', `${LIST}x: 1\n`);
  write('endpoints/c.yaml', `${LIST}enabled: false\n`);
  const path = write(
    'answerlake.yaml',
    `${MINIMAL}  endpoints: { c: { enabled: true } }\nreport: { titel: x }\n`,
  );
  const read = (secrets: 'read' | 'leave', text?: string) =>
    loadConfig({ path, secrets, env: { ACME_API_KEY: KEY }, ...(text === undefined ? {} : { text }) });
  expect(() => read('read')).toThrow(
    expect.objectContaining({
      exitCode: 2,
      problems: [
        expect.objectContaining({ path: 'sync.endpoints.c', line: 9 }),
        expect.objectContaining({ path: 'report.titel' }),
        expect.objectContaining({ file: expect.stringContaining('a.yaml'), path: 'key' }),
        expect.objectContaining({ file: expect.stringContaining('b.yaml'), path: 'x' }),
      ],
    }),
  );
  expect(read('leave', MINIMAL).sync.endpoints).toEqual({ c: { enabled: false, scopes: ['project'] } });
});
