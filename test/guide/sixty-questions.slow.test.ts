import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { realEffects } from '../../src/effects.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { explainResult, isEmpty, tellMetric } from '../../src/guide/tools.ts';
import { cli } from '../cli/run.ts';
import { madeOnce } from '../support/made-once.ts';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const name = z.string();

/** A question with the statement or figure that an analyst asks for, and the statement that gives the true rows. */
const questionSchema = z.strictObject({
  question: name,
  sql: name.optional(),
  metric: z.record(z.string(), z.union([z.string(), z.boolean()])).default({}),
  /** The columns of the figure that are read, and the values of the rows that are. */
  take: z.array(name).default([]),
  row: z.record(name, cell).default({}),
  truth: name.optional(),
  right: z.boolean(),
  trap: name.optional(),
  words: name.default(''),
  /** What an answer says beside a figure that is right, and not the one that was meant. */
  said: name.default(''),
});
type Question = z.output<typeof questionSchema>;

function readQuestions(file: string): Question[] {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => questionSchema.parse(JSON.parse(line)));
}

const folder = await madeOnce('demo of a year to November', async (directory) => {
  const argv = ['demo', '--directory', directory, '--today', '2026-11-29', '--quiet'];
  const effects = { ...realEffects, now: () => Date.parse('2026-11-29T12:00:00Z') };
  const { code, stderr } = await cli(argv, { effects });
  if (code !== 0) throw new Error(stderr);
});
const file = await openPublishedFile(join(folder, 'data', 'answers.duckdb'));
afterAll(() => file[Symbol.asyncDispose]());

type Row = z.output<typeof cell>[];

async function rowsOf(sql: string): Promise<Row[]> {
  const { rows } = await file.query(sql);
  return rows.map((row) => row.map(({ json }) => cell.catch(null).parse(JSON.parse(json))));
}

const answerSchema = z.object({ columns: z.array(name), rows: z.array(z.array(cell)) });

/** Rows and doubts of what is asked; what is refused, such as a column that is gone, has no rows. */
async function ask({
  sql,
  metric,
  take,
  row,
}: Question): Promise<{ rows: Row[]; doubts: string[]; text?: string }> {
  try {
    if (sql !== undefined) {
      const isNothing = isEmpty((await file.query(sql)).rows);
      const { warnings, why } = await explainResult(file, sql, isNothing);
      return { rows: await rowsOf(sql), doubts: [...warnings, ...why] };
    }
    const { against_from: againstFrom, against_to: againstTo, all_as_one: asOne, ...rest } = metric;
    const question = { ...rest, againstFrom, againstTo, asOne } as Parameters<typeof tellMetric>[1];
    const text = await tellMetric(file, question);
    const { columns, rows } = answerSchema.parse(JSON.parse(/^\{"columns".*?\]\}$/ms.exec(text)?.[0] ?? ''));
    const at = (one: Row, column: string) => one[columns.indexOf(column)] ?? null;
    const chosen = rows.filter((one) => Object.entries(row).every(([key, value]) => at(one, key) === value));
    const doubts = text.split('\n').filter((line) => line.startsWith('Warning: '));
    return { rows: chosen.map((one) => take.map((column) => at(one, column))), doubts, text };
  } catch (error) {
    if (!(error instanceof AnswerlakeError)) throw error;
    return { rows: [], doubts: [error.message] };
  }
}

/** Figures to four digits behind the point, as \`metric\` gives them; the order of rows is no part of an answer. */
function plain(rows: readonly Row[]): string[] {
  const textOf = (value: Row[number]): string => {
    const number = Number(value);
    if (typeof value === 'boolean' || value === null || value === '' || !Number.isFinite(number))
      return String(value).replace(/ 00:00:00$/, '');
    return Math.abs(number) < 1e6 ? number.toFixed(3) : number.toPrecision(9);
  };
  return rows.map((row) => row.map(textOf).join(' | ')).toSorted();
}

const FILES = ['sixty-questions.ndjson', 'more-questions.ndjson', 'thirty-questions.ndjson'];

it.each(FILES.flatMap(readQuestions))('$question is answered rightly: $right', async (question) => {
  const { rows, doubts, text = '' } = await ask(question);
  const truth = question.truth === undefined ? null : plain(await rowsOf(question.truth));
  expect(plain(rows).join('\n') === truth?.join('\n') || truth === null).toBe(
    question.right || truth === null,
  );
  expect(doubts.join('\n')).toContain(question.words);
  expect(text).toContain(question.said);
  expect([question.question, doubts.length > 0 ? 'warned' : 'silent']).toEqual([
    question.question,
    question.right || question.said !== '' ? 'silent' : 'warned',
  ]);
});

it('there are sixty and thirty questions that were written before the rules', () => {
  const lists = [readQuestions('sixty-questions.ndjson'), readQuestions('thirty-questions.ndjson')];
  expect(lists.map((list) => [list.length, list.filter(({ right }) => right).length])).toEqual([
    [60, 30],
    [30, 15],
  ]);
});
