import { expect, test } from 'vitest';
import { openOwn } from './served.ts';

const LIST = 'key: [id]\ncolumns: { text: [name], integer: [n] }\n';
const ITEMS = `rows: items\n${LIST}`;
const NAMED = 'key: [name]\ncolumns: { integer: [n] }\n';
const DATED = `ask: dated\ndate: at\n${LIST}`;
const item = (id: string | null, more = {}) => ({ id, name: 'x', n: 1, ...more });
const THINGS = `rows: things\n${LIST}`;
const A = [item('a')];
const OLD = ['a', 'b'].map((id) => item(id, { at: '2020-01-01' }));

/** What a file says wrongly of an answer, the answer, and what the first night says; where it still stores rows, how many. */
const MISTAKES: Readonly<Record<string, readonly [string, unknown, RegExp, number]>> = {
  list_elsewhere: [THINGS, { data: { items: A } }, /things contains no list; .*: write rows: data\.items/, 0],
  one_page: [ITEMS, { items: A, total: 2 }, /total is 2 and one page of 1 row .*: write pages: number/, 0],
  more_by_cursor: [ITEMS, { items: A, nextCursor: 'n' }, /nextCursor is "n" .*: write pages: cursor/, 0],
  same_page: [`pages: { by: number, size: 1 }\n${ITEMS}`, { items: A, totalPages: 2 }, /page/, 1],
  no_total: [`pages: number\n${ITEMS}`, { items: A }, /total/, 1],
  key_not_unique: [NAMED, [...A, item('b', { n: 2 })], /the same key appears twice in one answer/, 1],
  key_null: [LIST, [...A, item(null)], /id: is missing, but the key needs it/, 1],
  days_ignored: [DATED, OLD, /window ignored: 2 of 2 entries/, 0],
  no_date: [DATED, A, /its day cannot be read/, 0],
  other_type: [LIST, [item('a', { n: 'many' })], /\[\]\.n: "many"/, 1],
  cut_off: [`limit: { size: 2 }\n${LIST}`, [...A, item('b')], /truncated/, 2],
};

test('each mistake of a file is named in the first night, and its table is there', async () => {
  const files = Object.entries(MISTAKES).map(([name, [file]]) => [name, `path: /own/${name}\n${file}`]);
  await using rig = await openOwn(Object.fromEntries(files));
  for (const [name, [, body]] of Object.entries(MISTAKES))
    rig.answer(`/own/${name}`, () => ({ status: 200, body }));
  const { failures, exit_code: code } = await rig.pull({ endpoints: Object.keys(MISTAKES) });
  expect(code).toBe(3);
  const drift = await rig.workingRows("select endpoint, path || ': ' || sample as said from meta.drift");
  const rejects = await rig.workingRows('select endpoint, reason as said from meta.rejects');
  const cut = await rig.workingRows(
    "select endpoint, status as said from meta.slices where status <> 'failed'",
  );
  for (const [name, [, , words, rows]] of Object.entries(MISTAKES)) {
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
