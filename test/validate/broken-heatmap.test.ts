import { expect, it } from 'vitest';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { validateAnswer } from '../../src/validate/validate.ts';
import { answerOf } from '../support/answers.ts';

const competitors = [{ name: 'Oakline' }, { name: 'Nordhem' }, { name: 'Deskly' }];

it('a matrix row that is no object is refused, and is no row of missing cells', () => {
  const body = { models: ['m'], competitors, matrix: { Oakline: 'none', Nordhem: { m: 40 } } };
  const { rows, rejects } = validateAnswer(
    endpointNamed('competitor_heatmap'),
    answerOf('competitor_heatmap', body),
  );
  const cells = rows.map(({ values }) => [values['competitor_name'], values['visibility']]);
  expect(cells).toEqual([
    ['Nordhem', 40],
    ['Deskly', null],
  ]);
  expect(rejects).toEqual([
    { path: 'matrix["Oakline"]', reason: 'expected an object of cells by model', row: '"none"' },
  ]);
});
