import { expect, it } from 'vitest';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { readAnswer } from '../../src/believe/read-answer.ts';
import { answerOf } from '../support/answers.ts';

const cellsOf = (body: object): unknown[][] => {
  const { rows } = readAnswer(endpointNamed('competitor_heatmap'), answerOf('competitor_heatmap', body));
  return rows.map(({ values }) => [values['competitor_name'], values['model_id'], values['visibility']]);
};
const competitors = [{ name: 'Oakline' }, { name: 'Nordhem' }, { name: 'Deskly' }];

it('a matrix row that is no object is refused, and is no row of missing cells', () => {
  const body = { models: ['m'], competitors, matrix: { Oakline: 'none', Nordhem: { m: 40 } } };
  const { rows, rejects } = readAnswer(
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

it('a cell of a model that the list of models lacks is a row too', () => {
  const matrix = { Oakline: { m: 30 }, Nordhem: { n: 40 }, Deskly: {} };
  const expected = [
    ['Oakline', 'm', 30],
    ['Oakline', 'n', null],
    ['Nordhem', 'm', null],
    ['Nordhem', 'n', 40],
    ['Deskly', 'm', null],
    ['Deskly', 'n', null],
  ];
  expect(cellsOf({ models: ['m'], competitors, matrix })).toEqual(expected);
  expect(cellsOf({ models: [], competitors, matrix })).toEqual(expected);
});

it('a field of a competitor that is not documented is not a model', () => {
  const matrix = { Oakline: { m: 30, note: { deep: [1] } }, Nordhem: { m: 40 } };
  const named = competitors.slice(0, 2);
  expect(cellsOf({ models: ['m'], competitors: named, matrix })).toEqual([
    ['Oakline', 'm', 30],
    ['Nordhem', 'm', 40],
  ]);
});
