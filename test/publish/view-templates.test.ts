import { expect, it } from 'vitest';
import { expandView, type ViewParts } from '../../src/publish/view-templates.ts';

const PARTS: ViewParts = {
  texts: new Map([
    ['known', "'a', {{more}}\n"],
    ['more', "'b'"],
    ['filtered', 'where {{only}} in ({{known}})'],
    ['by_day', 'date'],
  ]),
  comments: new Map([
    ['date', "'Day.'"],
    ['period', "'First day of the period.'"],
  ]),
};

it('a view file is made once for each word of its first lines', () => {
  const sql = '-- One row per day.\n-- for measure in visibility, sentiment\nselect {{measure}};\n';
  expect(expandView(sql, PARTS)).toBe(
    '-- One row per day.\nselect visibility;\n\n-- One row per day.\nselect sentiment;\n',
  );
});

it('a view file repeats the lines of a block, with the companions of each word', () => {
  const sql =
    'select\n  -- for days|before in 7|6, 28|27\n  last_{{days}} {{before}} {{known}},\n  -- end for\n  1;\n';
  expect(expandView(sql, PARTS)).toBe("select\n  last_7 6 'a', 'b',\n  last_28 27 'a', 'b',\n  1;\n");
});

it('a view file takes parts that take parts', () => {
  expect(expandView('status in ({{known}})', PARTS)).toBe("status in ('a', 'b')");
});

it('a part is filled with the parts that its place names, as deep as it goes', () => {
  expect(expandView('{{filtered only=by_day}}', PARTS)).toBe("where date in ('a', 'b')");
  expect(() => expandView('{{filtered}}', PARTS)).toThrow('only');
  expect(() => expandView('{{filtered only=nothing}}', PARTS)).toThrow('nothing');
});

it('a view file takes shared comments for its own columns, under another name where it says so', () => {
  const sql = 'create view main.trend as select 1;\n-- comments: date, start = period\n';
  expect(expandView(sql, PARTS)).toBe(
    'create view main.trend as select 1;\n' +
      "comment on column main.trend.date is 'Day.';\n" +
      "comment on column main.trend.start is 'First day of the period.';\n",
  );
});

it.each(['select {{nothing}}', '-- comments: nothing'])(
  'a view file may not name what there is not: %s',
  (sql) => {
    expect(() => expandView(sql, PARTS)).toThrow('nothing');
  },
);
