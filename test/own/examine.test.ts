import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { checkYaml, parseYaml } from '../../src/config/yaml.ts';
import { declarationSchema, type OwnDeclaration } from '../../src/own/declaration.ts';
import { table } from '../support/table.ts';
import { examine, fieldsOf, keyOf, proposeFile } from '../../src/own/examine.ts';

function declared(yaml: string): OwnDeclaration {
  const checked = checkYaml(parseYaml(yaml, 'things.yaml'), declarationSchema('things'));
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  return checked.value;
}

const ASKED = { start: toDay('2025-03-01'), end: toDay('2025-03-28') };
const LIST = 'path: /api/v2/things\nrows: things\nkey: [id]\n';
const DATED = `${LIST}ask: dated\ndate: at\n`;
const two = table('id n at', ['a', 1, '2025-03-01T00:00:00Z'], ['b', 2.5, '2025-03-28T23:59:59.999Z']);

/** One line a finding; `!` before those that keep a sync from being whole. */
const findings = (yaml: string, body: unknown, asked: typeof ASKED | null = null): string[] =>
  Array.from(
    examine(declared(yaml), body, asked),
    ({ text, isProblem }) => `${isProblem ? '! ' : ''}${text}`,
  );

it('an answer that fits its declaration has no finding', () => {
  expect(findings(`${LIST}columns: { double: [n] }`, { things: two })).toEqual([]);
  expect(findings(`${DATED}instants: [from, until]\n`, { things: two }, ASKED)).toEqual([]);
});

const SAME = [1, 2].map((id) => ({ kind: 'k', id }));
const TAGGED = [{ id: 'a', tags: ['x'] }];
const DEEPER = LIST.replace('rows: things', 'rows: data.things');

it.each([
  [/^! things contains no list; .* data\.items: write rows: data\.items$/, LIST, { data: { items: two } }],
  [/^! the answer has no rows/, LIST, { things: [] }],
  [/^! totalPages is 3 and one page of 2 rows .*: write pages: number/, LIST, { things: two, totalPages: 3 }],
  [/^! the answer has neither total nor totalPages: write/, `${LIST}pages: number\n`, { things: two }],
  [/^! 1 of 2 rows have the key \(kind\) of another .*: write key: \[id\]$/, 'path: /x\nkey: [kind]\n', SAME],
  [/^! id of the key is null, absent or no text/, LIST, { things: [{ id: null }, ...two] }],
  [/^ID_ is in no row: did you mean id\?$/, `${LIST}columns: { text: [ID_, nn] }`, { things: two }],
  [/^! n is no integer in 1 of 2 .*under double:$/, `${LIST}columns: { integer: [n] }`, { things: two }],
  [/^! tags is no text in 1 of 1 .*under json:$/, `${LIST}columns: { text: [tags] }`, { things: TAGGED }],
  [/^! n is a list in no row: take it out of each$/, `${LIST}each: { n: text }`, { things: two }],
  [/^the answer has as many rows as limit allows \(2\): /, `${LIST}limit: { size: 2 }`, { things: two }],
  [/^! data\.meta\.totalPages is 2 and/, DEEPER, { data: { things: two, meta: { totalPages: 2 } } }],
])('what does not fit is named with what to write: %s', (words, yaml, body) => {
  expect(findings(yaml, body)[0]).toMatch(words);
});

it('a list that is shorter than its count, or absent, says that what is stored stays', () => {
  const rows = [['x'], null, []].map((tags, id) => ({ id: String(id), tags, count: id === 0 ? 2 : 0 }));
  expect(findings(`${LIST}each: { tags: { count: count, text: [name] } }`, { things: rows })).toEqual([
    'tags is not a list in 1 row: stored entries stay',
    'tags is shorter than count states in 1 row: stored entries stay',
  ]);
});

it('rows outside the days asked for name the parameters that are ignored, and a date that is none its field', () => {
  const late = [{ id: 'c', at: '2025-04-02T00:00:00Z' }];
  expect(findings(DATED, { things: [...two, ...late] }, ASKED)).toEqual([
    '1 of 3 rows lie outside the requested days: a sync refuses them',
  ]);
  const later = ['d', 'e'].map((id) => ({ id, at: '2025-04-03T00:00:00Z' }));
  expect(findings(DATED, { things: [...two, ...late, ...later] }, ASKED)).toEqual([
    expect.stringMatching(
      /^! 3 of 5 rows lie outside the requested days, so startDate, endDate are ignored: write/,
    ),
  ]);
  // A second wider each way is asked for instants.
  const near = [{ id: 'c', at: '2025-02-28T23:59:59.500Z' }];
  expect(findings(`${DATED}instants: [from, until]\n`, { things: [...two, ...near] }, ASKED)).toEqual([]);
  expect(findings(DATED.replace('date: at', 'date: day'), { things: two }, ASKED)).toEqual([
    '! day is no day in any row: write date: at',
  ]);
});

it('a path alone names the fields of its pages where they are not the default ones', () => {
  const propose = (more: object) => proposeFile({}, { data: { things: two }, ...more }).join('\n');
  expect(propose({ pagination: { totalPages: 2 } })).toContain(
    'pages: { by: number, names: { totalPages: pagination.totalPages } }',
  );
  expect(propose({ paging: { next_cursor: 'a' } })).toContain(
    'pages: { by: cursor, names: { next: paging.next_cursor } }',
  );
  expect(propose({ next: 'a' })).toContain('pages: { by: cursor, names: { next: next } }');
  expect(propose({ nextCursor: 'a' })).toContain('pages: cursor');
  expect(propose({ totalPages: 2 })).toContain('pages: number');
  expect(propose({ meta: { total_pages: 2 } })).toContain('names: { totalPages: meta.total_pages } }');
  expect(propose({ total: 9, next_page_token: 'a' })).toContain('names: { next: next_page_token } }');
});

it('a path alone becomes a file that loads: rows, key, pages, columns and lists', () => {
  const same = { name: 'A', project: { id: 'p' }, note: null, projectId: 'q' };
  const at = (day: number): string => `2025-03-0${String(day)}T10:00:00Z`;
  const lists = { tags: ['x'], links: [{ url: 'u', rank: 1 }] };
  const things = [
    { id: 'a', ...same, at: at(1), score: 1, count: 3, data: { projectId: 'p' }, ...lists },
    { id: 'b', ...same, at: at(2), score: 2.5, count: 4, data: {}, tags: [], links: [] },
  ];
  const lines = proposeFile({ path: '/api/v2/things' }, { other: [], answer: { things }, total: 9 });
  const declaration = declared(lines.join('\n'));
  const { path, rows, pages } = declaration;
  expect([path, rows, pages]).toMatchObject(['/api/v2/things', 'answer.things', { by: 'number' }]);
  expect(declaration.key.map(({ path }) => path)).toEqual(['id']);
  expect(Object.fromEntries(declaration.fields.map(({ name, type }) => [name, type]))).toEqual({
    name: 'text',
    at: 'timestamp',
    score: 'double',
    count: 'integer',
    reported_project_id: 'text',
    reported_project_id_2: 'text',
    data_project_id: 'text',
  });
  expect(declaration.parts.map(({ field, fields }) => [field, fields.map(({ path }) => path)])).toEqual([
    ['tags', ['']],
    ['links', ['url', 'rank']],
  ]);
});

it('a proposed file loads where entries of a list have the key of their row, the key has the name of a shared column, or no row has an id', () => {
  const links = [{ id: 'x', url: 'u' }];
  const nested = ['a', 'b'].map((id) => ({ id, links }));
  expect(proposeFile({ path: '/x' }, nested).join('\n')).toContain('text: [id as id_2, url]');
  const ranked = [1, 2].map((position) => ({ position, kind: 'x' }));
  const seen = [10, 11].map((hour) => ({ at: `2025-03-01T${String(hour)}:00:00Z`, page: '/', agent: 'x' }));
  const keys = [nested, ranked, seen].map(
    (rows) => declared(proposeFile({ path: '/x' }, rows).join('\n')).key,
  );
  expect(keys.map(([key]) => key?.name)).toEqual(['id', 'reported_position', 'at']);
});

it('a field without a value in any row, or a list without an entry, is left in rest, because a guessed type would need new tables later', () => {
  const rows = ['a', 'b'].map((id) => ({ id, done: null, tags: [], links: [{ at: null }], by: { x: null } }));
  const [key, ...lines] = proposeFile({}, rows);
  const note = '# no value yet, so their type is not known: done, tags, links, by.x';
  expect([key, ...lines.slice(0, -1)]).toEqual(['key: [id]', note]);
  expect(fieldsOf(rows).map(({ type }) => type)).toEqual(['text', null, null, 'json', null]);
  // A list that has entries in some row keeps its table; one of its fields may be without a value.
  const some = proposeFile({}, [...rows, { id: 'c', links: [{ at: null, url: 'u' }] }]).join('\n');
  expect(declared(`path: /x\n${some}`).parts).toMatchObject([{ field: 'links', fields: [{ path: 'url' }] }]);
});

it('a field is quoted with the name of its column where YAML would not read it plain', () => {
  const lines = proposeFile({ path: '/x' }, [{ id: 'a', 'window-start': 'x', 'a b': 'y', 'k,l': 'z' }]);
  const { fields } = declared(lines.join('\n'));
  const names = fields.map(({ path, name }) => `${path} ${name}`);
  expect(names).toEqual(['window-start reported_window_start', 'a b a_b', 'k,l k_l']);
  expect(declared(proposeFile({ path: '/x' }, [{ 'a, b': 'y' }]).join('\n')).key[0]?.path).toBe('a, b');
});

it('rows of days without an id are a series, and the key is what a day has several of', () => {
  const days = ['2025-03-01', '2025-03-02'].flatMap((date) =>
    ['a', 'b'].map((brand) => ({ date, brand, n: 1 })),
  );
  expect(proposeFile({ path: '/x' }, days).slice(1, 3)).toEqual(['ask: series', 'key: [brand]']);
  const columns = ['columns:', '  text: [brand]', '  double: [n]'];
  expect(proposeFile({ path: '/x' }, days.slice(0, 1)).slice(1)).toEqual(['ask: series', ...columns]);
  // A field that is only called date has no days.
  expect(proposeFile({ path: '/x' }, [{ date: 'soon', ref: 'a' }])).not.toContain('ask: series');
  expect(keyOf([{ a: 1 }, { a: 1 }])).toBeNull();
  const pairs = ['xy', 'xz', 'wy'].map(([one, other]) => ({ one, other }));
  expect(proposeFile({ path: '/x' }, pairs)).toContain('key: [one, other]');
});

it('a value is never shown beyond 40 characters, and a share of null is of all rows', () => {
  const [field] = fieldsOf([{ text: 'x'.repeat(100) }, { text: null }, {}, {}]);
  expect(field).toMatchObject({ type: 'text', nullShare: 0.75 });
  expect(field?.sample).toHaveLength(40);
});
