import { expect, test } from 'vitest';
import { openOwn } from './served.ts';

const LIST = 'key: [id]\ncolumns: { text: [name], integer: [n] }\n';
const item = (id: string | null, more = {}) => ({ id, name: 'x', n: 1, ...more });

/** What a file says wrongly of an answer, the answer, and what the first night says; where it still stores rows, how many. */
const MISTAKES: Readonly<Record<string, { file: string; body: unknown; words: RegExp; rows: number }>> = {
  list_elsewhere: {
    file: `rows: things\n${LIST}`,
    body: { data: { items: [item('a')] } },
    words: /things contains no list; fields with a list: data\.items: write rows: data\.items/,
    rows: 0,
  },
  one_page: {
    file: `rows: items\n${LIST}`,
    body: { items: [item('a')], total: 2 },
    words: /total is 2 and one page of 1 row was read: write pages: number/,
    rows: 0,
  },
  more_by_cursor: {
    file: `rows: items\n${LIST}`,
    body: { items: [item('a')], nextCursor: 'n' },
    words: /nextCursor is "n" and one page of 1 row was read: write pages: cursor/,
    rows: 0,
  },
  same_page: {
    file: `rows: items\npages: { by: number, size: 1 }\n${LIST}`,
    body: { items: [item('a')], totalPages: 2 },
    words: /page/,
    rows: 1,
  },
  no_total: {
    file: `rows: items\npages: number\n${LIST}`,
    body: { items: [item('a')] },
    words: /total/,
    rows: 1,
  },
  key_not_unique: {
    file: 'key: [name]\ncolumns: { integer: [n] }\n',
    body: [item('a'), item('b', { n: 2 })],
    words: /the same key appears twice in one answer/,
    rows: 1,
  },
  key_null: {
    file: LIST,
    body: [item('a'), item(null)],
    words: /id: is missing, but the key needs it/,
    rows: 1,
  },
  days_ignored: {
    file: `ask: dated\ndate: at\n${LIST}`,
    body: [item('a', { at: '2020-01-01' }), item('b', { at: '2020-01-02' })],
    words: /window ignored: 2 of 2 entries/,
    rows: 0,
  },
  no_date: {
    file: `ask: dated\ndate: at\n${LIST}`,
    body: [item('a')],
    words: /its day cannot be read/,
    rows: 0,
  },
  other_type: { file: LIST, body: [item('a', { n: 'many' })], words: /\[\]\.n: "many"/, rows: 1 },
  cut_off: { file: `limit: { size: 2 }\n${LIST}`, body: [item('a'), item('b')], words: /truncated/, rows: 2 },
};

test('each mistake of a file is named in the first night, and its table is there', async () => {
  const files = Object.entries(MISTAKES).map(([name, { file }]) => [name, `path: /own/${name}\n${file}`]);
  await using rig = await openOwn(Object.fromEntries(files));
  for (const [name, { body }] of Object.entries(MISTAKES))
    rig.answer(`/own/${name}`, () => ({ status: 200, body }));
  const { failures, exit_code: code } = await rig.pull({ endpoints: Object.keys(MISTAKES) });
  expect(code).toBe(3);
  const drift = await rig.workingRows("select endpoint, path || ': ' || sample as said from meta.drift");
  const rejects = await rig.workingRows('select endpoint, reason as said from meta.rejects');
  const cut = await rig.workingRows(
    "select endpoint, status as said from meta.slices where status <> 'failed'",
  );
  for (const [name, { words, rows }] of Object.entries(MISTAKES)) {
    const said = [
      ...failures.filter(({ endpoint }) => endpoint === name).map(({ message }) => message),
      ...[...drift, ...rejects, ...cut]
        .filter(({ endpoint }) => endpoint === name)
        .map((row) => JSON.stringify(row['said']).replaceAll('\\"', '"')),
    ];
    expect(
      said.some((text) => words.test(text)),
      `${name}: ${said.join(' | ')}`,
    ).toBe(true);
    expect(await rig.workingRows(`select count(*) as n from own.${name}`), name).toEqual([{ n: rows }]);
  }
});
