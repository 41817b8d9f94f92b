import { createHash } from 'node:crypto';

/** The days that a chart shows; the dashboard's reader may choose others. */
const NINETY_DAYS = {
  clause: 'WHERE',
  expressionType: 'SIMPLE',
  subject: 'date',
  operator: 'TEMPORAL_RANGE',
  comparator: 'Last 90 days',
} as const;

/** A chart of the dashboard: one dataset, one kind, the width out of 12. */
interface Chart {
  name: string;
  description: string;
  dataset: string;
  kind: 'line' | 'table';
  width: 6 | 12;
  params: object;
}

export const SUPERSET_CHARTS: readonly Chart[] = [
  line({
    name: 'Visibility, 7-day mean',
    description: 'Score of the API, 0 to 100, whole project.',
    dataset: 'visibility_with_events',
    metric: 'max(visibility_7_day_mean)',
    label: 'visibility',
    width: 12,
  }),
  line({
    name: 'Share of voice',
    description: 'Brand mentions per 100 organic responses, from the counts.',
    dataset: 'daily_kpis',
    metric: '100.0 * sum(organic_brand_mentions) / nullif(sum(organic_responses), 0)',
    label: 'share of voice, %',
  }),
  line({
    name: 'Net sentiment of answers with a known one',
    description: 'Positive less negative per 100 responses with a known sentiment, from the counts.',
    dataset: 'sentiment_split',
    metric:
      '100.0 * (sum(coalesce(positive_count, 0)) - sum(coalesce(negative_count, 0))) / nullif(sum(known_count), 0)',
    label: 'net sentiment, %',
  }),
  line({
    name: 'Requests of AI crawlers',
    description: 'All crawlers.',
    dataset: 'daily_kpis',
    metric: 'sum(crawler_requests_count)',
    label: 'requests',
  }),
  line({
    name: 'Visits from AI assistants',
    description: 'All referrers.',
    dataset: 'daily_kpis',
    metric: 'sum(ai_visits_count)',
    label: 'visits',
  }),
  table({
    name: 'What changed in 28 days',
    description:
      'The last 28 whole days against the 28 before. Clear: larger than the usual variation of the series.',
    dataset: 'kpi_changes',
    columns: ['project_label', 'measure', 'value', 'change', 'typical_change', 'is_clear', 'is_trend'],
    filter: 'window_days = 28',
    order: 'is_clear',
  }),
  table({
    name: 'Bursts of actions and what changed after',
    description: 'Change after, not caused by. Only bursts whose 14 days after are final.',
    dataset: 'action_group_impact',
    columns: [
      'project_label',
      'last_date',
      'actions',
      'titles',
      'visibility_change',
      'visibility_effect',
      'visibility_effect_low',
      'visibility_effect_high',
      'visibility_is_clear',
      'other_actions_count',
      'setup_change_titles',
    ],
    filter: 'is_final',
    order: 'visibility_is_clear',
  }),
];

/** Files of the charts and of the dashboard that holds them. */
export function supersetDashboard(): Map<string, object> {
  return new Map([
    ...SUPERSET_CHARTS.map((chart): [string, object] => [`charts/${fileName(chart)}.yaml`, chartFile(chart)]),
    ['dashboards/answerlake.yaml', dashboardFile()],
  ]);
}

function fileName({ name }: Chart): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}

interface Line {
  name: string;
  description: string;
  dataset: string;
  metric: string;
  label: string;
  width?: 12;
}

function line({ name, description, dataset, metric, label, width }: Line): Chart {
  const params = {
    viz_type: 'echarts_timeseries_line',
    x_axis: 'date',
    time_grain_sqla: 'P1D',
    metrics: [{ expressionType: 'SQL', sqlExpression: metric, label, hasCustomLabel: true }],
    groupby: ['project_label'],
    ...where('', NINETY_DAYS),
    row_limit: 10_000,
    truncateYAxis: false,
    // A gap stays a gap: a day without a figure is no zero.
    connectNulls: false,
    show_legend: true,
  };
  return { name, description, dataset, kind: 'line', width: width ?? 6, params };
}

interface Table {
  name: string;
  description: string;
  dataset: string;
  columns: readonly string[];
  filter: string;
  order: string;
}

function table({ name, description, dataset, columns, filter, order }: Table): Chart {
  const params = {
    viz_type: 'table',
    query_mode: 'raw',
    all_columns: columns,
    ...where(filter),
    time_range: 'No filter',
    order_by_cols: [JSON.stringify([order, false])],
    row_limit: 1000,
    table_timestamp_format: '%Y-%m-%d',
    // Bars would compare figures of different units, and red is no verdict.
    show_cell_bars: false,
    color_pn: false,
    column_config: Object.fromEntries(columns.map((column) => [column, columnFormat(column)])),
  };
  return { name, description, dataset, kind: 'table', width: 12, params };
}

function columnFormat(column: string): object {
  if (column === 'titles') return { columnWidth: 300 };
  return /value|change/.test(column) ? { d3NumberFormat: ',.1f' } : {};
}

function chartFile(chart: Chart): object {
  return {
    slice_name: chart.name,
    description: chart.description,
    certified_by: null,
    certification_details: null,
    viz_type: chart.kind === 'line' ? 'echarts_timeseries_line' : 'table',
    params: chart.params,
    query_context: null,
    cache_timeout: null,
    uuid: supersetUuid(`chart/${chart.name}`),
    version: '1.0.0',
    dataset_uuid: supersetUuid(`dataset/${chart.dataset}`),
  };
}

function dashboardFile(): object {
  const rows: Chart[][] = [];
  for (const chart of SUPERSET_CHARTS) {
    const last = rows.at(-1);
    const used = last?.reduce((sum, { width }) => sum + width, 0) ?? 12;
    if (last === undefined || used + chart.width > 12) rows.push([chart]);
    else last.push(chart);
  }
  const position: Record<string, object> = {
    DASHBOARD_VERSION_KEY: 'v2' as unknown as object,
    ROOT_ID: { type: 'ROOT', id: 'ROOT_ID', children: ['GRID_ID'] },
    GRID_ID: {
      type: 'GRID',
      id: 'GRID_ID',
      parents: ['ROOT_ID'],
      children: rows.map((_, index) => `ROW-${String(index + 1)}`),
    },
    HEADER_ID: { type: 'HEADER', id: 'HEADER_ID', meta: { text: 'AI answer visibility' } },
  };
  rows.forEach((charts, index) => {
    const id = `ROW-${String(index + 1)}`;
    position[id] = {
      type: 'ROW',
      id,
      parents: ['ROOT_ID', 'GRID_ID'],
      children: charts.map((chart) => `CHART-${fileName(chart)}`),
      meta: { background: 'BACKGROUND_TRANSPARENT' },
    };
    for (const chart of charts) {
      const chartId = `CHART-${fileName(chart)}`;
      position[chartId] = {
        type: 'CHART',
        id: chartId,
        children: [],
        parents: ['ROOT_ID', 'GRID_ID', id],
        meta: {
          chartId: SUPERSET_CHARTS.indexOf(chart) + 1,
          sliceName: chart.name,
          uuid: supersetUuid(`chart/${chart.name}`),
          width: chart.width,
          height: 50,
        },
      };
    }
  });
  return {
    dashboard_title: 'AI answer visibility',
    description:
      'Whole days alone; a change is called clear when it is larger than the usual variation of the series.',
    css: '',
    slug: 'answerlake',
    certified_by: null,
    certification_details: null,
    published: true,
    uuid: supersetUuid('dashboard'),
    position,
    metadata: {
      color_scheme: '',
      cross_filters_enabled: true,
      native_filter_configuration: [PROJECT_FILTER],
    },
    version: '1.0.0',
  };
}

const PROJECT_FILTER = {
  id: 'NATIVE_FILTER-project',
  name: 'Project',
  type: 'NATIVE_FILTER',
  filterType: 'filter_select',
  targets: [{ datasetUuid: supersetUuid('dataset/daily_kpis'), column: { name: 'project_label' } }],
  controlValues: { multiSelect: true, enableEmptyFilter: false, searchAllOptions: false },
  defaultDataMask: { extraFormData: {}, filterState: {}, ownState: {} },
  cascadeParentIds: [],
  scope: { rootPath: ['ROOT_ID'], excluded: [] },
  description: '',
};

/** A chart's filters: one in SQL, and others as Superset writes them. */
function where(sqlExpression: string, ...more: readonly object[]): { adhoc_filters: object[] } {
  const filter = { expressionType: 'SQL', clause: 'WHERE', sqlExpression, subject: null, operator: null };
  return { adhoc_filters: [filter, ...more] };
}

/** The same id for the same name in every build of the bundle, so that an import replaces what it brought before. */
export function supersetUuid(name: string): string {
  const hex = createHash('sha256').update(`answerlake/superset/${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
