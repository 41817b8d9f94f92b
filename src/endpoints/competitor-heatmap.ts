import { z } from 'zod';
import { defineEndpoint, limit } from './endpoint.ts';
import { anyObject, isObject, maybeText, measure, numberOf, own, relation } from './field.ts';
import { listItems, type Item } from './item.ts';

const competitor = z.object({ name: z.string(), domain: maybeText, relation });

const body = z.object({
  models: z.array(z.string()).catch(() => []),
  competitors: z.array(z.unknown()),
  matrix: anyObject,
  minVisibility: z.unknown().optional(),
  maxVisibility: z.unknown().optional(),
});

/** One item per cell. The rank comes from the list: in an object, keys that look like numbers come first. */
function* cells(answer: z.output<typeof body>): Generator<Item> {
  const models = new Set([...answer.models, ...modelsOfCells(answer.matrix)]);
  for (const [index, { path, value }] of [...listItems(answer.competitors, 'competitors')].entries()) {
    const parsed = competitor.safeParse(value);
    if (!parsed.success) {
      yield { path, value, problem: z.prettifyError(parsed.error) };
      continue;
    }
    const byModel = own(answer.matrix, parsed.data.name) ?? null;
    if (byModel !== null && !isObject(byModel)) {
      const problem = 'expected an object of cells by model';
      yield { path: () => `matrix[${JSON.stringify(parsed.data.name)}]`, value: byModel, problem };
      continue;
    }
    for (const model of models) {
      yield {
        path: () => `matrix[${JSON.stringify(parsed.data.name)}][${JSON.stringify(model)}]`,
        value: { competitor: value, rank: index + 1, model, visibility: own(byModel, model) ?? null },
      };
    }
  }
}

/** The list of models may lack some, or be empty: their cells count all the same. Ignore cells that are not numbers. */
function modelsOfCells(matrix: z.output<typeof anyObject>): string[] {
  const rows = Object.values(matrix)
    .filter(isObject)
    .flatMap((byModel) => Object.entries(byModel));
  return rows.flatMap(([model, cell]) => (numberOf(cell) === undefined ? [] : [model]));
}

/** Visibility of each competitor in each model over a window, including own and ignored brands. */
export const competitorHeatmap = defineEndpoint({
  name: 'competitor_heatmap',
  path: '/api/v1/competitor-heatmap',
  cut: { kind: 'window', series: 'visibility' },
  scopes: { project: null, model: 'model', monitor: 'llmMonitorId', prompt: 'promptId' },
  limit: 100,
  params: (ask) => [...limit(ask, 'limit'), ['excludeSelf', 'false'], ['hideIgnoredBrands', 'false']],
  body,
  documented: body.extend({ competitors: z.array(competitor) }),
  items: cells,
  item: z.object({ competitor, rank: z.number(), model: z.string(), visibility: measure }),
  outputs: [
    {
      table: 'competitor_heatmap',
      shape: 'window',
      key: {
        competitor_name: (cell) => cell.competitor.name.normalize('NFC'),
        competitor_domain: (cell) => cell.competitor.domain ?? '',
        model_id: (cell) => cell.model,
      },
      columns: {
        relation: (cell) => cell.competitor.relation,
        competitor_rank: (cell) => cell.rank,
        visibility: (cell) => cell.visibility,
      },
      ordinal: ['competitor_rank'],
    },
  ],
  listed: ({ competitors }) => competitors.length,
});
