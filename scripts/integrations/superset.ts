import { stringify } from 'yaml';
import { isAdditive } from '../../src/warehouse/meaning.ts';
import type { Column, Relation } from './catalogue.ts';
import { supersetDashboard, supersetUuid } from './superset-dashboard.ts';

interface Metric {
  metric_name: string;
  verbose_name: string;
  expression: string;
  description: string;
}

// Shares have to be computed from counts; these have their counts in the same row.
const RATIOS: Readonly<Record<string, readonly Metric[]>> = {
  daily_kpis: [
    {
      metric_name: 'share_of_voice_pct',
      verbose_name: 'Share of voice, %',
      expression: '100.0 * sum(organic_brand_mentions) / nullif(sum(organic_responses), 0)',
      description: 'Brand mentions per 100 organic responses of all days together.',
    },
  ],
  sentiment_split: [
    {
      metric_name: 'net_sentiment_known_pct',
      verbose_name: 'Net sentiment of answers with a known one, %',
      expression:
        '100.0 * (sum(coalesce(positive_count, 0)) - sum(coalesce(negative_count, 0))) / nullif(sum(known_count), 0)',
      description:
        'Positive less negative responses per 100 responses with a known sentiment, all days together.',
    },
    {
      metric_name: 'net_sentiment_pct',
      verbose_name: 'Net sentiment, %',
      expression:
        '100.0 * (sum(coalesce(positive_count, 0)) - sum(coalesce(negative_count, 0))) / nullif(sum(all_responses), 0)',
      description: 'Positive less negative responses per 100 responses of all days together.',
    },
  ],
};

// Superset reads YAML that turns an unquoted instant into a date and then refuses it.
const QUOTED = { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const;

/** Files of a Superset import bundle, by path: one database, a dataset for each view, charts and their dashboard. */
export function supersetBundle(catalogue: readonly Relation[]): Map<string, string> {
  const files = new Map<string, object>([
    ['metadata.yaml', { version: '1.0.0', type: 'Dashboard', timestamp: '2025-01-01T00:00:00+00:00' }],
    ['databases/answerlake.yaml', DATABASE],
  ]);
  const labels = catalogue
    .filter(({ name }) => name === 'project_labels')
    .flatMap(({ columns }) => columns.filter(({ name }) => name === 'project_label'));
  for (const view of catalogue.filter(({ schema }) => schema === 'main')) {
    files.set(`datasets/answerlake/${view.name}.yaml`, dataset(view, labels));
  }
  for (const [path, content] of supersetDashboard()) files.set(path, content);
  return new Map([...files].map(([path, content]) => [path, stringify(content, QUOTED)]));
}

const DATABASE = {
  database_name: 'answerlake',
  // Four slashes: an absolute path inside Superset's own file system.
  sqlalchemy_uri: 'duckdb:////data/answers.duckdb',
  cache_timeout: null,
  expose_in_sqllab: true,
  allow_run_async: false,
  allow_ctas: false,
  allow_cvas: false,
  allow_dml: false,
  extra: { engine_params: { connect_args: { read_only: true } } },
  uuid: supersetUuid('database'),
  version: '1.0.0',
};

/** @param labels what people call a project, also beside others of its name */
function dataset({ name, comment, columns: ofView }: Relation, labels: readonly Column[]): object {
  const names = ofView.map((column) => column.name);
  const more = names.includes('project_id') ? labels.filter((label) => !names.includes(label.name)) : [];
  const columns = [...ofView, ...more];
  return {
    table_name: name,
    main_dttm_col: columns.find(({ type }) => type === 'DATE' || type === 'TIMESTAMP')?.name ?? null,
    description: comment,
    default_endpoint: null,
    offset: 0,
    cache_timeout: null,
    schema: 'main',
    sql:
      more.length === 0
        ? null
        : `select * from main.${name} left join detail.project_labels using (project_id)`,
    params: null,
    template_params: null,
    filter_select_enabled: true,
    fetch_values_predicate: null,
    extra: null,
    uuid: supersetUuid(`dataset/${name}`),
    metrics: [...sums(columns), ...(RATIOS[name] ?? [])],
    columns: columns.map((column) => ({
      column_name: column.name,
      verbose_name: null,
      is_dttm: column.type === 'DATE' || column.type === 'TIMESTAMP',
      is_active: true,
      type: column.type,
      groupby: column.type !== 'DOUBLE',
      filterable: true,
      expression: null,
      description: column.comment,
      python_date_format: null,
    })),
    version: '1.0.0',
    database_uuid: supersetUuid('database'),
  };
}

function sums(columns: readonly Column[]): Metric[] {
  return columns.filter(isAdditive).map((column) => ({
    metric_name: `sum_${column.name}`,
    verbose_name: column.name.replaceAll('_', ' '),
    expression: `sum(${column.name})`,
    description: column.meaning,
  }));
}
