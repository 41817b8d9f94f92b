import { z } from 'zod';
import { defineEndpoint, limit } from './endpoint.ts';
import { count, key, measure, NEVER, text } from './column.ts';
import * as field from './field.ts';
import { anyObject, isObject, maybeText, numberOf, own, relation } from './field.ts';
import { listItems, type Item } from './item.ts';

const competitor = z.object({ name: z.string(), domain: maybeText, relation });

const body = z.object({
  models: z.array(z.string()).catch(() => []),
  competitors: z.array(z.unknown()),
  matrix: anyObject,
  minVisibility: z.unknown().optional(),
  maxVisibility: z.unknown().optional(),
});

/** One item per cell. The rank comes from the list: an object puts keys that look like numbers first. */
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

/** The list of models may be incomplete or empty: its cells count all the same. Ignore cells that are not numbers. */
function modelsOfCells(matrix: z.output<typeof anyObject>): string[] {
  const rows = Object.values(matrix)
    .filter(isObject)
    .flatMap((byModel) => Object.entries(byModel));
  return rows.flatMap(([model, cell]) => (numberOf(cell) === undefined ? [] : [model]));
}

const cell = z.object({ competitor, rank: z.number(), model: z.string(), visibility: field.measure });
type Cell = z.output<typeof cell>;

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
  item: cell,
  outputs: [
    {
      table: 'competitor_heatmap',
      shape: 'window',
      about: 'Visibility of each competitor in each model',
      key: {
        competitor_name: key('Name; names repeat and may look like numbers.', {}, (cell: Cell) =>
          cell.competitor.name.normalize('NFC'),
        ),
        competitor_domain: key(
          "Domain; '' when the API reports none.",
          {},
          (cell: Cell) => cell.competitor.domain ?? '',
        ),
        model_id: key('Model id (core.models; LEFT JOIN).', {}, (cell: Cell) => cell.model),
      },
      columns: {
        relation: text(
          'DIRECT_COMPETITOR or OTHER; SELF where your brand is listed.',
          {},
          (cell: Cell) => cell.competitor.relation,
        ),
        competitor_rank: count('Place in the list of the answer, 1 is first.', {}, (cell: Cell) => cell.rank),
        visibility: measure('Visibility, {unit}; NULL: the answer has no cell.', {
          unit: 'percent',
          ...NEVER,
        }),
      },
      ordinal: ['competitor_rank'],
    },
  ],
  listed: ({ competitors }) => competitors.length,
});
