const DATASOURCE = { type: 'motherduck-duckdb-datasource', uid: '${DS_ANSWERLAKE}' };

interface Panel {
  title: string;
  description: string;
  type: 'timeseries' | 'table' | 'stat' | 'barchart';
  /** Width out of 24 and height. */
  size: readonly [number, number];
  format: 'time_series' | 'table';
  unit?: string;
  sql: string;
}

const PROJECT = 'project_id in ($project)';
/** What people call each project, also beside others of its name. */
const LABELS = 'join detail.project_labels using (project_id)';
const DAYS = '$__timeFilter(date)';

/** One line for each project. Days without a figure stay, so that they break the line. */
function line(view: string, column: string): string {
  return `select cast(date as timestamp) as "time", project_label as metric, ${column} as value
from main.${view} ${LABELS}
where ${PROJECT} and ${DAYS}
order by "time"`;
}

const PANELS: readonly Panel[] = [
  {
    title: 'Visibility, 7-day mean',
    description: 'Score of the API, whole project. Events of the dashboard are drawn as marks.',
    type: 'timeseries',
    size: [24, 9],
    format: 'time_series',
    sql: line('visibility_with_events', 'visibility_7_day_mean'),
  },
  {
    title: 'Share of voice',
    description: 'Brand mentions per 100 organic responses of the day.',
    type: 'timeseries',
    size: [12, 8],
    format: 'time_series',
    unit: 'percent',
    sql: line('daily_kpis', 'share_of_voice_pct'),
  },
  {
    title: 'Net sentiment of answers with a known one',
    description:
      'Positive less negative responses per 100 responses with a known sentiment; over all responses it would follow visibility.',
    type: 'timeseries',
    size: [12, 8],
    format: 'time_series',
    unit: 'percent',
    sql: line('daily_kpis', 'net_sentiment_known_pct'),
  },
  {
    title: 'AI crawler requests',
    description: 'Requests of all crawlers of the day.',
    type: 'timeseries',
    size: [12, 8],
    format: 'time_series',
    unit: 'short',
    sql: line('daily_kpis', 'crawler_requests_count'),
  },
  {
    title: 'Visits from AI assistants',
    description: 'Visits of the day, all referrers.',
    type: 'timeseries',
    size: [12, 8],
    format: 'time_series',
    unit: 'short',
    sql: line('daily_kpis', 'ai_visits_count'),
  },
  {
    title: 'Change after bursts of completed actions',
    description:
      'Change after, not caused by. Clear: the 95 % interval of the effect leaves 0 out. A burst is actions with gaps of at most 3 days; one too close to another is not judged.',
    type: 'table',
    size: [24, 9],
    format: 'table',
    sql: `select last_date as date, project_label as project, actions, titles, visibility_before, visibility_after, visibility_change,
  visibility_effect, visibility_effect_low, visibility_effect_high, visibility_is_clear as is_clear, other_actions_count, setup_change_titles, is_final
from main.action_group_impact ${LABELS}
where ${PROJECT} and $__timeFilter(last_date)
order by is_clear desc nulls last, abs(visibility_effect) / nullif(visibility_effect_high - visibility_effect, 0) desc nulls last`,
  },
  {
    title: 'Gap to competitors by model, newest whole month',
    description:
      'Share of answers that name your brand less that of the competitor, not the visibility score; ignored brands are left out. The range of the dashboard does not apply.',
    type: 'table',
    size: [12, 9],
    format: 'table',
    sql: `select project_label as project, competitor_name, model_id, visibility_pct, own_visibility_pct, gap_points
from main.competitor_heatmap_latest ${LABELS}
where ${PROJECT} and not is_own_brand and coalesce(relation, 'OTHER') <> 'IGNORED'
order by gap_points nulls last, competitor_name, model_id`,
  },
  {
    title: 'Which endpoints are not current',
    description: 'Empty when everything was pulled. What the API does not offer to a project is not listed.',
    type: 'table',
    size: [12, 9],
    format: 'table',
    sql: `select project_label as project, endpoint, status, last_covered_date, lag_days, last_error
from main.sync_freshness left ${LABELS}
where status not in ('current', 'not_enabled') and (project_id is null or ${PROJECT})
order by lag_days desc nulls last, endpoint`,
  },
];

const ANNOTATIONS_SQL = `select "time", title, text, tags
from main.event_annotations
where ${PROJECT} and $__timeFilter("time")
order by "time"`;

const PROJECTS_SQL = `select project_label as __text, project_id as __value
from main.projects
where first_date is not null
order by project_label`;

/** Every statement of the dashboard by where it stands, for a test to run. */
export function grafanaStatements(): Map<string, string> {
  return new Map([
    ['variable project', PROJECTS_SQL],
    ['annotation events', ANNOTATIONS_SQL],
    ...PANELS.map(({ title, sql }): [string, string] => [`panel ${title}`, sql]),
  ]);
}

/** A dashboard for import; Grafana asks for the data source. */
export function grafanaDashboard(): object {
  const target = (sql: string, format: string): object => ({
    refId: 'A',
    datasource: DATASOURCE,
    editorMode: 'code',
    format,
    rawQuery: true,
    rawSql: sql,
  });
  let x = 0;
  let y = 0;
  const panels = PANELS.map(({ title, description, type, size: [w, h], format, unit, sql }, index) => {
    if (x + w > 24) x = 0;
    const gridPos = { x, y, w, h };
    x += w;
    if (x >= 24) y += h;
    return {
      id: index + 1,
      title,
      description,
      type,
      datasource: DATASOURCE,
      gridPos,
      // Gaps stay gaps: a day without a figure is no zero.
      fieldConfig: {
        defaults: {
          custom: type === 'timeseries' ? { spanNulls: false } : {},
          ...(unit === undefined ? {} : { unit }),
        },
        overrides: [],
      },
      options: {},
      targets: [target(sql, format)],
    };
  });
  return {
    __inputs: [
      {
        name: 'DS_ANSWERLAKE',
        label: 'answerlake (DuckDB)',
        type: 'datasource',
        pluginId: DATASOURCE.type,
        pluginName: 'DuckDB',
      },
    ],
    uid: 'answerlake',
    title: 'AI answer visibility',
    description: 'Visibility, share of voice and sentiment beside dated events. Generated by answerlake.',
    tags: ['answerlake'],
    timezone: 'utc',
    schemaVersion: 39,
    editable: true,
    time: { from: 'now-90d', to: 'now' },
    templating: {
      list: [
        {
          name: 'project',
          label: 'Project',
          type: 'query',
          datasource: DATASOURCE,
          query: PROJECTS_SQL,
          definition: PROJECTS_SQL,
          refresh: 1,
          multi: true,
          includeAll: true,
          current: { text: ['All'], value: ['$__all'] },
          options: [],
        },
      ],
    },
    annotations: {
      list: [
        {
          name: 'Events',
          enable: true,
          iconColor: 'blue',
          datasource: DATASOURCE,
          target: target(ANNOTATIONS_SQL, 'table'),
        },
      ],
    },
    panels,
  };
}
