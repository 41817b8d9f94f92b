import { expect, it } from 'vitest';
import { existsSync, lstatSync, symlinkSync, writeFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realEffects } from '../../src/effects.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { openPublished, writePublished } from './published.ts';
import { cli, type CliOptions, fails } from './run.ts';
import { makeFolder, openFolder } from '../support/folder.ts';
import { readSheet, readZip } from '../support/xlsx.ts';
import { writeOutput } from '../../src/cli/output-file.ts';
import { openOutput } from '../../src/cli/terminal/io.ts';

const config = await writePublished(makeFolder());
// The day of the fixture: later, it is stale.
const effects = { ...realEffects, now: () => Date.parse('2025-03-05T12:00:00Z') };

/** `more`: further flags. */
const query = (
  sql: string,
  format: string,
  { more = [], ...options }: CliOptions & { more?: string[] } = {},
) => cli(['query', sql, '--config', config, '--format', format, ...more], { effects, ...options });

const MIXED = `select null::bigint as nothing, '' as empty, 9007199254740993 as big, 12.50::decimal(6,2) as price,
  date '2025-01-31' as day, timestamp '2025-01-31 10:00:00' as at, ['a', null, 'b c'] as list, {'k': 1.5} as pair,
  true as flag, 'nan'::double as nan`;

const NAMES = 'select 1 as a, 2 as a, 3 as "__proto__"';
const FORMULAS = `select '=1+1' as a, '-x' as b, '@x' as c, -1 as d, 'x=1' as e`;

it.each([
  [
    'NULL, large numbers, days, instants and lists in JSON',
    MIXED,
    ['json'],
    '[\n  {"nothing": null, "empty": "", "big": 9007199254740993, "price": 12.50, "day": "2025-01-31", ' +
      '"at": "2025-01-31 10:00:00", "list": ["a",null,"b c"], "pair": {"k":1.5}, "flag": true, "nan": "NaN"}\n]\n',
  ],
  [
    'NULL apart from empty text in CSV, quoted where needed',
    `select null as a, '' as b, 'x,"y"' as c, 'two' || chr(10) || 'lines' as d`,
    ['csv'],
    'a,b,c,d\n,"","x,""y""","two\nlines"\n',
  ],
  [
    'Markdown that hostile text cannot break',
    `select 'a|b' as "x|y", 7 as n, '<b>' || chr(10) as t`,
    ['md'],
    '| x\\|y | n | t |\n| --- | ---: | --- |\n| a\\|b | 7 | &lt;b><br> |\n',
  ],
  ['columns of the same name and names like __proto__', NAMES, ['csv'], 'a,a:1,__proto__\n1,2,3\n'],
  ['text that looks like a formula', FORMULAS, ['csv'], 'a,b,c,d,e\n=1+1,-x,@x,-1,x=1\n'],
  [
    'tabs apart from delimiters in TSV',
    `select 1.5 as a, 'x' || chr(9) as b, 'y,z' as c`,
    ['tsv'],
    'a\tb\tc\n1.5\t"x\t"\ty,z\n',
  ],
  [
    'numbers of a locale with a decimal comma, and nothing else with a point',
    `select 37.5::double as a, -1.25::decimal(6,2) as b, 7 as c, 'v1.2; x,y' as d, [1.5] as e, timestamp '2025-01-31 10:00:00.5' as f`,
    ['csv', '--delimiter', ';', '--decimal', ','],
    'a;b;c;d;e;f\n37,5;-1,25;7;"v1.2; x,y";[1.5];2025-01-31 10:00:00.5\n',
  ],
  ['it as text in CSV for Excel', FORMULAS, ['csv', '--bom'], "\uFEFFa,b,c,d,e\n'=1+1,'-x,'@x,-1,x=1\n"],
])('answerlake query keeps %s', async (...[, sql, [format = '', ...more], stdout]) => {
  expect(await query(sql, format, { more })).toEqual({ code: 0, stdout, stderr: '' });
});

it('answerlake query draws a thousand rows of a table and says so, while the other formats give all', async () => {
  expect((await query(NAMES, 'table')).stdout).toMatch(/1 │ +2 │ +3/);
  const table = await query('from range(1001)', 'table');
  expect(table.stdout).toContain('│   999 │');
  expect(table.stdout).not.toContain('│  1000 │');
  expect(table.stderr).toBe('1,000 rows; 1 more of 1,001 not shown: --format csv or json writes all.\n');
  const csv = await query('from range(1001)', 'csv');
  expect(csv.stdout.trimEnd().split('\n')).toHaveLength(1002);
  expect(csv.stderr).toBe('');
});

it.each([
  ['json', ['--bom'], /--bom, --delimiter and --decimal go with/],
  ['tsv', ['--delimiter', ';'], /--delimiter goes with --format csv/],
  ['csv', ['--decimal', ','], /add --delimiter ';', or --format tsv/],
  ['csv', ['--delimiter', '"'], /is not one of , ; \|/],
])('answerlake query --format %s refuses %j', async (format, more, message) => {
  const refused = { ...fails(2, message), stdout: '' };
  expect(await query('select 1', format, { more })).toMatchObject(refused);
});

it('answerlake query rounds figures in tables and Markdown, and keeps every digit elsewhere', async () => {
  const sql = `select 37.91666666666667::double as score, 0.0012345::double as small, 3.0::double as whole,
      12.345::decimal(6,3) as price, null::double as none`;
  expect((await query(sql, 'table')).stdout).toMatch(/37\.92 │ 0\.00123 │ +3 │ 12\.345 │ NULL/);
  expect((await query(sql, 'md')).stdout).toContain('| 37.92 | 0.00123 | 3 | 12.345 | NULL |');
  expect((await query(sql, 'csv')).stdout).toContain('37.91666666666667,0.0012345,3,12.345,\n');
  expect((await query(sql, 'json')).stdout).toContain('"score": 37.91666666666667');
  const zeros = `select x::double as tiny, y::double as near from (values (-7e-15, -0.001), (0, 4.5)) v(x, y)`;
  expect((await query(zeros, 'md')).stdout).toContain('| 0.00 | 0.00 |\n| 0.00 | 4.50 |');
});

it('answerlake query writes a workbook to a file, and none to a terminal', async () => {
  const output = join(openFolder(), 'figures', 'one.xlsx');
  const sql = `select date '2025-01-31' as day, 1.5::double as mean`;
  const written = await query(sql, 'xlsx', { more: ['--output', output] });
  expect(written).toEqual({ code: 0, stdout: '', stderr: '' });
  const sheet = readSheet(readZip(output).get('xl/worksheets/sheet1.xml') ?? '');
  expect(sheet).toEqual([
    ['inlineStr4:day', 'inlineStr4:mean'],
    ['n1:45688', 'n3:1.5'],
  ]);
  const refused = { ...fails(2, '--output FILE.xlsx'), stdout: '' };
  expect(await query(sql, 'xlsx', { columns: 80 })).toMatchObject(refused);
});

it('answerlake query writes the format that the ending of --output names, unless --format names another: a drawn table was written into a .csv', async () => {
  const folder = openFolder();
  const written = async (name: string, ...more: string[]): Promise<string> => {
    const output = join(folder, name);
    const argv = ['query', 'select 42 as answer', '--config', config, '--output', output, ...more];
    expect(await cli(argv, { effects })).toMatchObject({ code: 0, stdout: '' });
    return readFileSync(output, 'utf8');
  };
  expect(await written('rows.csv')).toBe('answer\n42\n');
  expect(await written('rows.JSON')).toBe('[\n  {"answer": 42}\n]\n');
  expect(await written('rows.md')).toContain('| 42 |');
  expect(await written('rows.csv', '--format', 'md')).toContain('| 42 |');
  expect(await written('rows.txt')).toContain('│');
});

it('answerlake query takes SQL that begins with a comment for SQL, and not for an option', async () => {
  const answer = await query('-- Question: how many?\nselect 42 as answer', 'csv');
  expect(answer).toMatchObject({ code: 0, stdout: 'answer\n42\n' });
});

it('answerlake query that is stopped ends with the code of the signal', async () => {
  const stop = new AbortController();
  const running = query('select sum(hash(range)) as total from range(200000000000)', 'csv', {
    signal: stop.signal,
  });
  setImmediate(() =>
    stop.abort(new AnswerlakeError('Stopped by SIGTERM.', { class: 'stopped', exitCode: 143 })),
  );
  expect(await running).toMatchObject({ code: 143, stdout: '' });
});

it.runIf(existsSync('/dev/full'))(
  'answerlake query --output to a device writes to it and does not take its place',
  async () => {
    const link = join(makeFolder(), 'device');
    symlinkSync('/dev/full', link);
    expect(await query('select 42 as answer', 'csv', { more: ['--output', link] })).toMatchObject({
      code: 7,
    });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  },
);

it('answerlake query reads a file that ends in .sql, and says when it cannot', async () => {
  const file = join(openFolder(), 'one query.SQL');
  writeFileSync(file, 'select 41 + 1 as n');
  expect((await query(file, 'csv')).stdout).toBe('n\n42\n');
  expect(await query('gone/one.sql', 'csv')).toMatchObject(fails(2, 'gone/one.sql cannot be read'));
});

it('answerlake query warns on stderr of what misleads, in every format, and keeps stdout for the rows', async () => {
  const sql = 'select sum(visibility) as mean from daily_kpis';
  for (const format of ['table', 'json'])
    expect((await query(sql, format)).stderr).toContain(
      'Warning: sum(visibility): the comment of daily_kpis',
    );
  expect((await query(sql, 'csv')).stdout).toBe('mean\n\n');
  expect((await query(sql, 'csv', { more: ['--quiet'] })).stderr).toBe('');
});

it('answerlake query says on stderr when the file is stale', async () => {
  const late = { ...realEffects, now: () => Date.parse('2025-03-08T12:00:00Z') };
  const says = /^Stale: the newest answer is from 2025-03-05 02:17 UTC, 3 days ago\./;
  const answer = await query('select 1 as one', 'csv', { effects: late });
  expect(answer).toMatchObject({ ...fails(0, says), stdout: 'one\n1\n' });
});

it('answerlake query names days without an answer in the range that it was asked for', async () => {
  const { run } = await openPublished("delete from meta.asked_days where date = '2025-03-02'");
  const sum = 'select sum(visibility) from daily_kpis where date >=';
  const ask = async (from: string) => (await run(['query', `${sum} '${from}'`], { effects })).stderr;
  expect(await ask('2025-03-01')).toContain('Warning: Days are missing: visibility of Fernhill 2025-03-02.');
  expect(await ask('2025-03-03')).not.toContain('missing');
});

it('answerlake query says where a column of 0.2.0 is now', async () => {
  expect(await query("select * from daily_kpis where scope = 'model'", 'csv')).toMatchObject(
    fails(2, 'scope: main holds whole projects'),
  );
  expect((await query('select total_responses from daily_kpis', 'table')).stderr).toContain(
    'total_responses: it is organic_responses',
  );
});

it('answerlake query that finds nothing says what there is', async () => {
  const says = /Nothing was found\.[^]*Projects: Fernhill \(2025-03-01 to 2025-03-04\)\./;
  const answer = await query("from daily_kpis where project_name = 'Nike'", 'json');
  expect(answer).toMatchObject({ ...fails(0, says), stdout: '[]\n' });
});

/** What a large result was written as, piece by piece; the reader has gone away once it has so many of them. */
async function pieces(format: string, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const written: string[] = [];
  let loseReader: (error: NodeJS.ErrnoException) => void = () => undefined;
  const stdout = openOutput(
    {
      write: (text, onWritten) => {
        if (text !== '') written.push(text);
        if (written.length >= most) loseReader(Object.assign(new Error('gone'), { code: 'EPIPE' }));
        onWritten?.();
      },
      on: (_, listener) => {
        loseReader = listener;
      },
    },
    {},
  );
  const { code } = await cli(['query', 'from range(10000)', '--config', config, '--format', format], {
    stdout,
  });
  expect(code).toBe(0);
  return written;
}

it('answerlake query writes a large result piece by piece', async () => {
  const [csv, json] = [await pieces('csv'), await pieces('json')];
  const numbers = Array.from({ length: 10_000 }, (_, range) => range);
  expect(csv.join('')).toBe(`range\n${numbers.join('\n')}\n`);
  expect(JSON.parse(json.join(''))).toEqual(numbers.map((range) => ({ range })));
  for (const written of [csv, json]) {
    expect(Math.max(...written.map(({ length }) => length))).toBeLessThan(written.join('').length / 2);
  }
});

it('answerlake query reads no further until a slow reader has room again', async () => {
  const state = { written: 0, waiting: 0, most: 0 };
  const stdout = openOutput(
    {
      write: (text, onWritten) => {
        if (text !== '') state.waiting += 1;
        state.most = Math.max(state.most, state.waiting);
        if (onWritten === undefined) return;
        setImmediate(() => {
          state.written += state.waiting;
          state.waiting = 0;
          onWritten();
        });
      },
      on: () => undefined,
    },
    {},
  );
  const argv = ['query', 'from range(10000)', '--config', config, '--format', 'csv'];
  expect((await cli(argv, { stdout })).code).toBe(0);
  expect(state.most).toBe(1);
  expect(state.written).toBeGreaterThan(3);
});

it('answerlake query reads no further for a reader that went away', async () => {
  expect(await pieces('csv', 2)).toHaveLength(2);
  expect((await pieces('csv')).length).toBeGreaterThan(3);
});

it('a reader that went away is no loss; an output that cannot be written is reported once', () => {
  const lost: string[] = [];
  for (const code of ['EPIPE', 'ENOSPC']) {
    let fail: (error: NodeJS.ErrnoException) => void = () => undefined;
    const stream = {
      write: () => undefined,
      on: (_: string, listener: typeof fail) => void (fail = listener),
    };
    openOutput(stream, {}, (error) => lost.push(error.message));
    for (let times = 0; times < 2; times += 1) fail(Object.assign(new Error(code), { code }));
  }
  expect(lost).toEqual(['ENOSPC']);
});

it('answerlake query leaves an old file alone when it is stopped while it writes', async () => {
  const folder = openFolder();
  const output = join(folder, 'rows.csv');
  writeFileSync(output, 'old');
  async function* broken(): AsyncGenerator<string> {
    yield 'new';
    await Promise.resolve();
    throw new AnswerlakeError('Stopped by SIGTERM.', { class: 'stopped', exitCode: 143 });
  }
  await expect(writeOutput(output, broken())).rejects.toMatchObject({ exitCode: 143 });
  expect(readFileSync(output, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['rows.csv']);
});
