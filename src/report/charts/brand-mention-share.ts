import { addDays } from '../../day.ts';
import type { Chart } from '../chart.ts';
import { plainLabel } from '../label.ts';
import { noDataReason } from '../no-data.ts';
import { formatCount, formatDays, formatPercent } from '../numbers.ts';
import type { ProjectData } from '../project-data.ts';
import { brandColours } from './brand-colours.ts';
import { rankingSpec } from './ranking.ts';

const MOST_BRANDS = 10;

/** Share of each brand in all brand mentions, newest 28 days beside the 28 before. */
export function brandMentionShareChart(data: ProjectData): Chart {
  const colours = brandColours(data);
  const listed = data.brands.filter(({ mentions, relation }) => mentions !== null && relation !== 'IGNORED');
  const own = listed.filter((brand) => brand.is_own_brand);
  const others = listed.filter((brand) => !brand.is_own_brand);
  const shown = new Set([...own, ...others].slice(0, MOST_BRANDS));
  const rows = listed.filter((brand) => shown.has(brand));
  const leader = rows[0];
  const window = formatDays(addDays(data.end, -27), data.end);
  const hidden = data.brands.length - rows.length;
  return {
    name: 'brand-mention-share',
    title: 'Share of brand mentions',
    subtitle: `Share in the mentions of all listed brands, percent · ${window}`,
    description:
      leader === undefined
        ? 'Share of brand mentions: no figures.'
        : `Share of brand mentions, ${window}: ${rows.length} brands, ${plainLabel(leader.brand_name)} leads with ${formatPercent(leader.share_pct)}.`,
    legend: [
      { label: 'Own brand', token: 'own', shape: 'box' },
      { label: 'The 28 days before', token: 'ink', shape: 'tick' },
    ],
    table: {
      columns: [
        { title: 'Brand' },
        { title: 'Relation' },
        { title: 'Share', isNumber: true },
        { title: '28 days before', isNumber: true },
        { title: 'Mentions', isNumber: true },
      ],
      rows: data.brands.map((brand) => [
        plainLabel(brand.brand_name),
        plainLabel(brand.relation, 'unknown').toLowerCase().replaceAll('_', ' '),
        formatPercent(brand.share_pct),
        formatPercent(brand.previous_share_pct),
        formatCount(brand.mentions),
      ]),
    },
    ...(hidden > 0 && rows.length > 0
      ? {
          note: `${hidden} more or ignored ${hidden === 1 ? 'brand is' : 'brands are'} in the total and in the table.`,
        }
      : {}),
    noData: noDataReason(data, 'brand_visibility'),
    draw:
      rows.length === 0
        ? null
        : (size) =>
            rankingSpec(
              rows.map((brand) => ({
                label: plainLabel(brand.brand_name),
                value: brand.share_pct ?? 0,
                valueText: formatPercent(brand.share_pct),
                previous: brand.previous_share_pct,
                token: colours.get(brand.brand_id) ?? 'other',
                tip: [
                  plainLabel(brand.brand_name),
                  `${formatPercent(brand.share_pct)} of mentions (${formatCount(brand.mentions)})`,
                  `28 days before ${formatPercent(brand.previous_share_pct)}`,
                ].join('\n'),
              })),
              size,
            ),
  };
}
