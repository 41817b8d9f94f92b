import { expect, test } from 'vitest';
import { fitQuestion, MisunderstoodError } from '../../src/believe/fit.ts';
import { DatesRead } from '../../src/believe/instants.ts';
import { isDay, type Day, type DayRange, type Grain } from '../../src/day.ts';
import { endpointNamed } from '../support/catalogue.ts';
import { TableRows } from '../../src/endpoints/table-rows.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { answerOf, days, sliceOf } from '../support/answers.ts';

const NOT_DOUBLED = { dates: new DatesRead({ instants: 'utc' }), doubled: new Set<Day>() };

/** A day of 2026 as `03-02`. */
const long = (day: string): string => (isDay(`2026-${day}`) ? `2026-${day}` : day);

function rangeOf(text: string): DayRange {
  const [start = '', end = ''] = text.split('..').map(long);
  return days(start, end);
}

/** Dates of the rows that belong to the slice, or why the answer is refused. */
function fit(question: string, answer: string): string {
  const [name = '', grain, window = '', asked = window] = question.split(' ');
  const endpoint = endpointNamed(name);
  const slice = { window: rangeOf(window), ...(grain === 'none' ? {} : { grain: grain as Grain }) };
  const archived = answerOf(name, null, { slice, asked: asked === 'none' ? null : rangeOf(asked) });
  const rows = new TableRows('visibility', ['date']);
  for (const date of answer.split(' ')) rows.add([long(date)]);
  try {
    const own = fitQuestion([rows], { endpoint, answer: archived, periods: NOT_DOUBLED });
    const dates = own[0].columns.get('date') ?? [];
    return dates.map((date) => String(date).replace('2026-', '')).join(' ');
  } catch (error) {
    if (!(error instanceof AnswerlakeError) || error.class !== 'contract') throw error;
    return /: (.*); none/.exec(error.message)?.[1] ?? '';
  }
}

test.each([
  ['visibility day 03-02..03-08', '03-02 03-08', '03-02 03-08'],
  ['visibility day 03-02..03-08', 'soon 03-02', 'soon 03-02'],
  // Neither the lead period nor the extra day after the end.
  ['visibility day 03-02..03-08 03-01..03-09', '03-01 03-02 03-08 03-09', '03-02 03-08'],
  ['visibility day 03-02..03-08 none', '01-01', '01-01'],
  // A week that began earlier belongs to the window before; one that ends later is partial, unless it is running.
  ['visibility week 03-02..03-15', '03-01 03-08', '03-08'],
  ['visibility week 02-09..02-21', '02-09 02-16', '02-09'],
  ['visibility week 02-09..02-22', '02-09 02-16', '02-09 02-16'],
  ['visibility week 03-03..03-08', '03-03', ''],
  ['visibility week 03-04..03-09', '03-04', '03-04'],
  ['visibility week 03-02..03-08', '02-24', ''],
  ['visibility week 02-01..03-10', '02-08 02-22 02-01', '02-08 02-22 02-01'],
  ['visibility month 01-31..02-28', '01-01 02-01', '02-01'],
  ['visibility month 01-01..03-01', '01-01 02-01', '01-01 02-01'],
  // Days may be rare: a prompt may be asked weekly or monthly.
  ['visibility day 02-01..02-28', '02-01', '02-01'],
  ['visibility day 02-01..02-28', '02-08 02-22', '02-08 02-22'],
  ['visibility day 02-01..02-28', '02-01 02-01 02-01 02-01', '02-01 02-01 02-01 02-01'],
  ['visibility day 02-01..02-28', '02-01 02-08 02-15 02-22', '02-01 02-08 02-15 02-22'],
  ['visibility day 01-01..03-01', '01-01 02-01 03-01', '01-01 02-01 03-01'],
  ['events none 02-01..02-28', '02-01 02-08 02-22', '02-01 02-08 02-22'],
  // Lists and windows may have rows of any day.
  ['response_summary none 03-02..03-08', '01-01', '01-01'],
  ['prompts none 03-02..03-08', '01-01', '01-01'],
])('of %s, an answer of %s has %s', (question, answer, own) => {
  expect(fit(question, answer)).toBe(own);
});

const OTHER = 'got periods that do not begin';
const outside = (asked: string, row: string): string =>
  `window ignored: asked for ${asked}, got a row of ${row}`;
test.each([
  ['visibility day 03-02..03-08', '03-02 03-09', outside('2026-03-02..2026-03-08', '2026-03-09')],
  ['visibility day 03-02..03-08', '03-01', outside('2026-03-02..2026-03-08', '2026-03-01')],
  ['visibility week 03-02..03-08', '02-23', outside('2026-03-02..2026-03-08', '2026-02-23')],
  ['visibility month 02-01..02-28', '01-01', outside('2026-02-01..2026-02-28', '2026-01-01')],
  ['visibility week 03-02..03-15', '03-02 03-08', `asked for weeks, ${OTHER} on one weekday`],
  ['visibility month 02-01..02-28', '02-01 02-02', `asked for months, ${OTHER} on the 1st`],
])('of %s, an answer of %s is refused', (question, answer, why) => {
  expect(fit(question, answer)).toBe(why);
});

test('a refusal names the slice and the parameters to look at', () => {
  const slice = sliceOf('visibility', { scope: 'model', scopeId: 'm' });
  expect(new MisunderstoodError({ slice }, 'what', 'where')).toMatchObject({
    message:
      'visibility of project project-1 model=m by day 2026-03-02..2026-03-08: what; none of it was stored. Check where (sync.endpoints.visibility.parameters)',
  });
});

test.each([
  ['visibility', '2026-03-09', /Check the date parameters startDate and endDate \(/],
  ['visibility', '2026-03-08', /Check the grouping parameter range \(/],
  ['domain_citations', '2026-03-08', /Check the grouping parameter range and granularity \(/],
])('a refusal of an answer of %s with a row of %s names the parameter', (name, date, message) => {
  const endpoint = endpointNamed(name);
  const rows = new TableRows('visibility', ['date']);
  for (const day of ['2026-03-02', date]) rows.add([day]);
  const answer = answerOf(name, null, { slice: { grain: 'week' } });
  const fitted = () => fitQuestion([rows], { endpoint, answer, periods: NOT_DOUBLED });
  expect(fitted).toThrow(message);
  expect(fitted).toThrow(MisunderstoodError);
});
