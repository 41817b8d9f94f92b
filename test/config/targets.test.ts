import { expect, it } from 'vitest';
import { MEASURES, targetList } from '../../src/config/config.ts';
import { readViewFiles } from '../../src/publish/published-file.ts';

const TARGET = { project: 'p', measure: 'visibility', goal: 45, by: '2027-01-01' };

it.each([
  [
    'a second goal for one figure',
    [TARGET, { ...TARGET, goal: 50 }],
    'the goal for visibility of project p is already taken',
  ],
  ['a measure that there is not', [{ ...TARGET, measure: 'fame' }], 'visibility'],
  ['a day that there is not', [{ ...TARGET, by: '2027-02-30' }], 'not a calendar day'],
  ['a setting that there is not', [{ ...TARGET, until: '2027-01-01' }], 'until'],
])('targets refuse %s', (_, targets, message) => {
  expect(JSON.stringify(targetList().safeParse(targets).error?.issues)).toContain(message);
});

it('targets can be set for exactly the measures of the view', () => {
  const sql = readViewFiles('duckdb').find(({ name }) => name === 'measure_days')?.sql ?? '';
  const measures = [...sql.matchAll(/select project_id, date, '(\w+)'|^ {4}'(\w+)',$/gm)].map(
    ([, first, second]) => first ?? second,
  );
  expect(new Set(measures)).toEqual(new Set(MEASURES));
});
