import type { Day } from '../day.ts';
import { quoteLiteral } from '../warehouse/sql.ts';
import {
  type Governed,
  type GovernedSource,
  isTime,
  type Part,
  PART_COLUMNS,
  type Time,
} from './governed.ts';

/** How the rows of an answer are split, besides by project. */
export type MetricBy = Time | Part;

interface MetricQuestion {
  figure: Governed;
  source: GovernedSource;
  by: MetricBy | undefined;
  /** Left out: every project, each with its own rows. */
  projectId: string | undefined;
  /** All projects as one. */
  asOne: boolean;
  from: Day;
  to: Day;
}

/**
 * The statement that computes a governed figure: one row per project and day, month or part, with `n` (its basis), the 95 %
 * interval, days with a figure, days requested, and days that may still change.
 */
export function metricSql({ figure, source, by, projectId, asOne, from, to }: MetricQuestion): string {
  const { kind, measure } = figure;
  const period = isTime(by) ? by : null;
  const part = by === undefined || isTime(by) ? null : PART_COLUMNS[by];
  const time = period === null ? [] : [period];
  const parts = part === null ? [] : [...new Set([part.id, part.name])];
  const own = `date between date '${from}' and date '${to}'${projectId === undefined ? '' : ` and project_id = ${quoteLiteral(projectId)}`}`;
  const timeOf = {
    day: 'date as day',
    week: `cast(date_trunc('week', date) as date) as week`,
    month: `cast(date_trunc('month', date) as date) as month`,
  };
  const columns = (...names: readonly string[]): string => names.join(', ');
  const days = [
    `select ${columns(asOne ? "'all' as project_id" : 'project_id', asOne ? "'All projects' as project_name" : 'project_name', 'date', ...time.map((name) => timeOf[name]), ...parts)}`,
    `  ${source.numerator} as numerator`,
    ...(source.denominator === undefined ? [] : [`  ${source.denominator} as denominator`]),
    ...(source.spread === undefined ? [] : [`  ${source.spread} as spread`]),
    '  is_final',
  ].join(',\n  ');
  const isRepeated = source.once !== undefined;
  const added = isRepeated ? 'any_value(t.denominator)' : 'sum(denominator)';
  const denominator = source.denominator === undefined ? 'count(numerator)' : added;
  const joined = columns('project_id', ...time);
  const totals = isRepeated
    ? `,
totals as (
  select ${joined}, sum(denominator) as denominator
  from (select ${columns('project_id', 'date', ...time)}, max(denominator) as denominator from days group by all) once
  group by all
)`
    : '';
  const asked = {
    none: `date '${to}' - date '${from}' + 1`,
    day: '1',
    week: `least(week + 6, date '${to}') - greatest(week, date '${from}') + 1`,
    month: `least(last_day(month), date '${to}') - greatest(month, date '${from}') + 1`,
  }[period ?? 'none'];
  const hasTypical = kind === 'mean' && measure !== undefined && part === null && !asOne;
  const [value, low, high] = figuresOf(kind, hasTypical);
  return `with days as (
  ${days}
  from main.${source.view}
  where ${own}
)${totals},
summed as (
  select ${columns('project_id', 'any_value(project_name) as project_name', ...time, ...parts)},
    sum(numerator) as numerator, ${denominator} as denominator,${source.spread === undefined ? '' : ' sum(spread) as spread,'}
    count(distinct date) filter (numerator is not null) as days_with_figure,
    count(distinct date) filter (numerator is not null and not is_final) as days_that_may_change
  from days${isRepeated ? ` left join totals t using (${joined})` : ''}
  group by ${columns('project_id', ...time, ...parts)}
)
select ${columns('coalesce(l.project_label, s.project_name) as project_name', ...time, ...parts)},
  round(${value}, 4) as value,
  round(${low}, 4) as low,
  round(${high}, 4) as high,
  ${kind === 'sum' ? 'days_with_figure' : 'denominator'} as n,
  days_with_figure,
  ${asked} as days_asked,
  days_that_may_change
from summed s
left join detail.project_labels l on l.project_id = s.project_id${hasTypical ? `\nleft join detail.typical_changes y on y.project_id = s.project_id and y.measure = ${quoteLiteral(measure)}` : ''}
${part === null ? '' : 'where denominator > 0\n'}order by ${columns('1', ...time, ...(part === null ? [] : ['value desc nulls last', part.name]))}`;
}

const UNKNOWN = 'cast(null as double)';

type Interval = readonly [value: string, low: string, high: string];

/** The figure of summed days and both ends of its 95 % interval; NULL if unknown. */
function figuresOf(kind: Governed['kind'], hasTypical: boolean): Interval {
  const value = 'numerator / nullif(denominator, 0)';
  switch (kind) {
    case 'sum':
      return ['numerator', UNKNOWN, UNKNOWN];
    case 'weighted':
    case 'mean': {
      if (!hasTypical) return [value, UNKNOWN, UNKNOWN];
      // The usual variation of a mean of that many days, as used for effects of actions.
      const half = 'typical_change_7_days * power(3.5 / nullif(denominator, 0), 0.32)';
      return [value, `greatest(${value} - ${half}, 0)`, `least(${value} + ${half}, 100)`];
    }
    case 'share': {
      const end = (sign: '+' | '-'): string =>
        `100.0 * (numerator + 1.9207 ${sign} 1.96 * sqrt(1.0 * numerator * (denominator - numerator) / nullif(denominator, 0) + 0.9604)) / (denominator + 3.8415)`;
      return ['100.0 * numerator / nullif(denominator, 0)', end('-'), end('+')];
    }
    case 'net': {
      const middle = '100.0 * numerator / (denominator + 3.84)';
      const half =
        '196.0 * sqrt(((spread + 2.56) / (denominator + 3.84) - power(1.0 * numerator / (denominator + 3.84), 2)) / (denominator + 3.84))';
      return [
        '100.0 * numerator / nullif(denominator, 0)',
        `greatest(${middle} - ${half}, -100)`,
        `least(${middle} + ${half}, 100)`,
      ];
    }
    default:
      return kind satisfies never;
  }
}
