import type { Chart, Size, Spec } from '../chart.ts';
import { fitText, plainLabel } from '../label.ts';
import { noDataReason } from '../no-data.ts';
import { formatDay, formatDays, formatScore, formatShortDay, NO_FIGURE, withSign } from '../numbers.ts';
import { boxLayer, FONT_SIZE, plotSpec, pointerLayer, ruleLayer, wordLayer } from '../plot.ts';
import type { ProjectData } from '../project-data.ts';
import type { ImpactRow } from '../rows.ts';

const MOST_ACTIONS = 10;
const ROW = 40;

/** Change of visibility after each completed action; never what the action caused. */
export function actionImpactChart(data: ProjectData): Chart {
  const known = data.impact.filter((row) => row.visibility_change !== null && row.days_after >= 7);
  const shown = known.slice(0, MOST_ACTIONS);
  const clean = known.filter((row) => row.is_comparable).length;
  return {
    name: 'action-impact',
    title: 'Change of visibility after completed actions',
    subtitle: `Mean of the 14 days after less mean of the 14 days before · actions completed ${formatDays(data.start, data.end)}`,
    description:
      shown.length === 0
        ? 'Change after completed actions: no action has enough days on both sides.'
        : `Change of visibility after the newest ${shown.length} actions: ${shown
            .slice(0, 3)
            .map(
              (row) =>
                `${plainLabel(row.action_title)} ${change(row.visibility_change, row.visibility_before)}`,
            )
            .join('; ')}.`,
    legend: [
      { label: 'Higher after', token: 'good', shape: 'box' },
      { label: 'Lower after', token: 'bad', shape: 'box' },
      { label: 'Pale: not comparable', token: 'ownsoft', shape: 'faded' },
    ],
    table: {
      columns: [
        { title: 'Completed' },
        { title: 'Action' },
        { title: 'Before', isNumber: true },
        { title: 'After', isNumber: true },
        { title: 'Change', isNumber: true },
        { title: 'Share of voice, points', isNumber: true },
        { title: 'Days before and after' },
        { title: 'Other actions inside', isNumber: true },
        { title: 'Comparable' },
      ],
      rows: data.impact.map((row) => [
        row.date,
        plainLabel(row.action_title),
        formatScore(row.visibility_before),
        formatScore(row.visibility_after),
        change(row.visibility_change, row.visibility_before),
        change(row.share_of_voice_change_points, 100),
        `${row.days_before} and ${row.days_after}`,
        row.other_actions_count === null ? NO_FIGURE : String(row.other_actions_count),
        row.is_comparable ? (row.is_final ? 'yes' : 'may change') : 'no',
      ]),
    },
    note: `A change after an action is no proof that the action is the reason. Comparable are actions with no other action within 14 days and enough days on both sides: ${clean} of ${known.length}.`,
    noData:
      data.impact.length > 0
        ? 'No completed action has enough days on both sides yet.'
        : data.events.length > 0
          ? 'No action was completed in these days.'
          : noDataReason(data, 'events').replace(
              'The API reports no figures here.',
              'No action was completed in these days.',
            ),
    draw: shown.length === 0 ? null : (size) => draw(shown, size),
  };
}

/** With as many decimals as `like`, a value of the same scale, is written with. */
function change(value: number | null, like: number | null): string {
  return value === null ? NO_FIGURE : withSign(value, (size) => formatScore(size, like));
}

function draw(rows: readonly ImpactRow[], size: Size): Spec {
  const padding = { left: 4, right: 4, top: 4, bottom: 4 };
  const inner = size.width - padding.left - padding.right;
  const zero = inner / 2;
  const most = rows.reduce((a, row) => Math.max(a, Math.abs(row.visibility_change ?? 0)), 0) || 1;
  const reach = zero - 52;
  const place = (row: ImpactRow): number => zero + ((row.visibility_change ?? 0) / most) * reach;
  return plotSpec({
    width: size.width,
    height: rows.length * ROW,
    padding,
    layers: [
      wordLayer(
        rows.map((row, index) => ({
          x: 0,
          y: index * ROW + 9,
          text: fitText(`${formatShortDay(row.date)}  ${plainLabel(row.action_title)}`, inner, FONT_SIZE),
          token: 'ink',
        })),
      ),
      boxLayer(
        rows.map((row, index) => {
          const token = (row.visibility_change ?? 0) < 0 ? ('bad' as const) : ('good' as const);
          return {
            x: Math.min(zero, place(row)),
            x2: Math.max(zero, place(row)),
            y: index * ROW + 19,
            y2: index * ROW + 32,
            fill: token,
            stroke: row.is_comparable ? undefined : token,
            opacity: row.is_comparable ? 1 : 0.3,
          };
        }),
        { strokeWidth: 1 },
      ),
      ruleLayer(
        rows.map((_, index) => ({ x: zero, y: index * ROW + 17, y2: index * ROW + 34 })),
        'muted',
      ),
      ...(['left', 'right'] as const).map((align) =>
        wordLayer(
          rows.flatMap((row, index) => {
            const isDown = (row.visibility_change ?? 0) < 0;
            if (isDown !== (align === 'right')) return [];
            const text = change(row.visibility_change, row.visibility_before);
            return [{ x: place(row) + (isDown ? -6 : 6), y: index * ROW + 26, text, token: 'ink' as const }];
          }),
          { align },
        ),
      ),
      pointerLayer(
        rows.map((row, index) => ({
          x: 0,
          x2: inner,
          y: index * ROW,
          y2: (index + 1) * ROW,
          tip: tipOf(row),
        })),
      ),
    ],
  });
}

function tipOf(row: ImpactRow): string {
  return [
    plainLabel(row.action_title),
    `Completed ${formatDay(row.date)}`,
    `Before ${formatScore(row.visibility_before)} (${row.days_before} days), after ${formatScore(row.visibility_after)} (${row.days_after} days)`,
    row.is_comparable ? 'Comparable' : `Not comparable: ${row.other_actions_count ?? 0} other actions inside`,
    ...(row.is_final ? [] : ['May still change']),
  ].join('\n');
}
