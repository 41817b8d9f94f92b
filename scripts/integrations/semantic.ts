import { stringify } from 'yaml';
import { GOVERNED, type Governed, type GovernedSource, PART_COLUMNS } from '../../src/guide/governed.ts';
import { VIEW_KEYS } from '../../src/guide/view-keys.ts';
import type { Column, Relation } from './catalogue.ts';

/** What a governed figure is made of in a semantic file: columns that add up, or that a mean is taken of. */
interface Figure {
  name: string;
  label: string;
  description: string;
  unit: string;
  kind: Governed['kind'];
  synonyms: readonly string[];
  view: string;
  numerator: Part;
  denominator: Part | null;
}

/** A column of a dataset and its expression over the view. */
interface Part {
  column: string;
  expression: string;
}

const isColumn = (expression: string): boolean => /^\w+$/.test(expression);

function figureOf(governed: Governed, source: GovernedSource, name: string): Figure {
  const { kind } = governed;
  // In percent, so that a quotient of two sums is the figure.
  const scale = kind === 'share' || kind === 'net' ? '100.0 * ' : '';
  const top = scale === '' ? source.numerator : `${scale}(${source.numerator})`;
  const bottom = source.once ?? source.denominator;
  const part = (end: string, expression: string): Part => ({
    column: isColumn(expression) ? expression : `${name}_${end}`,
    expression,
  });
  return {
    ...governed,
    name,
    view: source.view,
    numerator: part('numerator', top),
    denominator: bottom === undefined ? null : part('denominator', bottom),
  };
}

/** The figures of whole projects, and those by model that are right however they are grouped. */
export const FIGURES: readonly Figure[] = GOVERNED.flatMap((governed) => {
  const { name, kind, source, parts } = governed;
  const byModel =
    parts.model !== undefined && kind !== 'mean'
      ? [figureOf({ ...governed, label: `${governed.label} by model` }, parts.model, `${name}_by_model`)]
      : [];
  return [figureOf(governed, source, name), ...byModel];
});

const VIEWS = [...new Set(FIGURES.map(({ view }) => view))];

interface Dataset {
  view: string;
  description: string;
  key: readonly string[];
  /** Columns to group and filter by. */
  dimensions: readonly Column[];
  parts: readonly Part[];
}

/** What each view is in the semantic files. */
function datasets(catalogue: readonly Relation[]): Dataset[] {
  return VIEWS.map((view) => {
    const relation = catalogue.find((one) => one.schema === 'main' && one.name === view);
    const key = VIEW_KEYS[view] ?? [];
    const named = [
      ...key,
      'project_name',
      ...Object.values(PART_COLUMNS).flatMap(({ id, name }) => (key.includes(id) ? [name] : [])),
    ];
    const columns = relation?.columns ?? [];
    const dimensions = [...named, 'is_own_brand', 'is_final'].flatMap(
      (name) => columns.find((one) => one.name === name) ?? [],
    );
    const parts = FIGURES.filter((one) => one.view === view).flatMap(({ numerator, denominator }) => [
      numerator,
      ...(denominator === null ? [] : [denominator]),
    ]);
    const once = new Map(parts.map((part) => [part.column, part]));
    return { view, description: relation?.comment ?? '', key, dimensions, parts: [...once.values()] };
  });
}

/** The models of dbt that hold the columns of the figures: one for each view. */
export function dbtModels(catalogue: readonly Relation[]): Map<string, string> {
  return new Map(
    datasets(catalogue).map(({ view, dimensions, parts }) => {
      const columns = [
        ...dimensions.map(({ name }) => `  ${name}`),
        ...parts.map(({ column, expression }) =>
          column === expression ? `  ${column}` : `  ${expression} as ${column}`,
        ),
      ];
      const sql = `select\n${columns.join(',\n')}\nfrom {{ source('answerlake', '${view}') }}\n`;
      return [view, sql];
    }),
  );
}

/** The governed figures as semantic models and metrics of MetricFlow. */
export function metricFlow(catalogue: readonly Relation[]): string {
  const models = datasets(catalogue).map(({ view, description, key, dimensions, parts }) => ({
    name: view,
    description,
    model: `ref('${view}')`,
    defaults: { agg_time_dimension: 'date' },
    primary_entity: `${view}_row`,
    entities: [{ name: 'project', type: 'foreign', expr: 'project_id' }],
    dimensions: dimensions
      .filter(({ name }) => name !== 'project_id')
      .map(({ name, comment }) =>
        name === 'date'
          ? { name, type: 'time', description: comment, type_params: { time_granularity: 'day' } }
          : { name, type: 'categorical', description: comment },
      ),
    measures: parts.map(({ column }) => ({
      name: measureName(view, column),
      agg: FIGURES.some((one) => one.view === view && one.kind === 'mean' && one.numerator.column === column)
        ? 'average'
        : 'sum',
      expr: column,
      description: `One row: ${key.join(', ')}.`,
    })),
  }));
  const metrics = FIGURES.map(({ name, label, description, unit, kind, view, numerator, denominator }) => {
    const top = measureName(view, numerator.column);
    const head = { name, label, description: `${description} Unit: ${unit}.` };
    const meta = { config: { meta: { unit, additivity: additivityOf(kind), grain: 'project and day' } } };
    return denominator === null
      ? { ...head, type: 'simple', type_params: { measure: top }, ...meta }
      : {
          ...head,
          type: 'ratio',
          type_params: { numerator: `${name}_top`, denominator: `${name}_bottom` },
          ...meta,
        };
  });
  const sides = FIGURES.flatMap(({ name, label, view, numerator, denominator }) =>
    denominator === null
      ? []
      : (
          [
            ['top', 'what is divided', numerator],
            ['bottom', 'what it is divided by', denominator],
          ] as const
        ).map(([end, what, part]) => ({
          name: `${name}_${end}`,
          label: `${label}: ${what}`,
          description: `${label}: ${what}. Means nothing alone.`,
          type: 'simple',
          type_params: { measure: measureName(view, part.column) },
        })),
  );
  return stringify(
    { version: 2, semantic_models: models, metrics: [...metrics, ...sides] },
    { lineWidth: 0 },
  );
}

/** Names of measures are unique in a project. */
function measureName(view: string, column: string): string {
  return `${view}__${column}`.replaceAll('__', '_');
}

function additivityOf(kind: Governed['kind']): string {
  return kind === 'sum'
    ? 'adds up over days and projects'
    : 'do not sum or average: computed again for each group';
}

const VERSION = '0.1.1';
const ansi = (expression: string): object => ({ dialects: [{ dialect: 'ANSI_SQL', expression }] });

/** The governed figures as a document of Apache Ossie; `catalog` is the name under which the published file is open. */
export function ossieDocument(catalogue: readonly Relation[], catalog: string): object {
  return {
    version: VERSION,
    semantic_model: [
      {
        name: 'answerlake',
        description: 'Governed figures of AI-answer visibility: whole projects, whole days.',
        ai_context: {
          instructions:
            'Each day counts once in a mean; shares are quotients of sums. Never average scores, shares or ranks. NULL is no data; is_final = false may still change.',
        },
        datasets: datasets(catalogue).map(({ view, description, key, dimensions, parts }) => ({
          name: view,
          source: `${catalog}.main.${view}`,
          // A key of several columns would be several keys to a reader of one column each.
          primary_key: [`${view}_row`],
          description,
          fields: [
            {
              name: `${view}_row`,
              expression: ansi(key.map((column) => `CAST(${column} AS VARCHAR)`).join(" || '|' || ")),
              description: `One row: ${key.join(', ')}.`,
            },
            ...dimensions.map(({ name, type, comment }) => ({
              name,
              expression: ansi(name),
              dimension: { is_time: type === 'DATE' },
              description: comment,
            })),
            ...parts.map(({ column, expression }) => ({ name: column, expression: ansi(expression) })),
          ],
        })),
        metrics: FIGURES.map(
          ({ name, label, description, unit, kind, synonyms, view, numerator, denominator }) => ({
            name,
            expression: ansi(
              denominator === null
                ? `${kind === 'mean' ? 'AVG' : 'SUM'}(${view}.${numerator.column})`
                : `SUM(${view}.${numerator.column}) / SUM(${view}.${denominator.column})`,
            ),
            description: `${label}. ${description} Unit: ${unit}. Grain: project and day; ${additivityOf(kind)}.`,
            ai_context: { synonyms: [...synonyms] },
          }),
        ),
      },
    ],
  };
}
