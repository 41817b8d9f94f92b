import { expect, it } from 'vitest';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { readAnswer } from '../../src/believe/read-answer.ts';
import { answerOf, listed } from '../support/answers.ts';

/** Name, model and visibility of each cell, and the rejects. */
function read(names: readonly string[], models: readonly string[], matrix: object) {
  const body = { models, competitors: names.map((name) => ({ name })), matrix };
  const name = 'competitor_heatmap';
  const { rows, rejects } = readAnswer(endpointNamed(name), answerOf(name, body));
  const cells = listed(rows).map(({ values }) =>
    [values['competitor_name'], values['model_id'], values['visibility'] ?? 'none'].join(' '),
  );
  return { cells, rejects };
}

const THREE = ['Oakline', 'Nordhem', 'Deskly'];

it('a matrix row that is no object is refused, and is no row of missing cells', () => {
  expect(read(THREE, ['m'], { Oakline: 'none', Nordhem: { m: 40 } })).toEqual({
    cells: ['Nordhem m 40', 'Deskly m none'],
    rejects: [{ path: 'matrix["Oakline"]', reason: 'expected an object of cells by model', row: '"none"' }],
  });
});

it('a cell of a model that the list of models lacks is a row too; an undocumented field is not a model', () => {
  const matrix = { Oakline: { m: 30 }, Nordhem: { n: 40 }, Deskly: {} };
  const oakline = ['Oakline m 30', 'Oakline n none'];
  const cells = [...oakline, 'Nordhem m none', 'Nordhem n 40', 'Deskly m none', 'Deskly n none'];
  for (const models of [['m'], []]) expect(read(THREE, models, matrix)).toEqual({ cells, rejects: [] });
  const noted = { Oakline: { m: 30, note: { deep: [1] } }, Nordhem: { m: 40 } };
  expect(read(THREE.slice(0, 2), ['m'], noted).cells).toEqual(['Oakline m 30', 'Nordhem m 40']);
});
