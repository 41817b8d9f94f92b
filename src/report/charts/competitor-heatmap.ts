import type { Chart, Size, Spec } from '../chart.ts';
import { fitText, plainLabel, wrapText } from '../label.ts';
import { noDataReason } from '../no-data.ts';
import { formatDays, formatPercent, NO_FIGURE } from '../numbers.ts';
import type { Token } from '../palette.ts';
import { boxLayer, FONT_SIZE, plotSpec, wordLayer, type Layer } from '../plot.ts';
import type { ProjectData } from '../project-data.ts';
import type { HeatmapRow } from '../rows.ts';

const MOST_BRANDS = 14;
const ROW = 28;
const HEAT = ['heat0', 'heat1', 'heat2', 'heat3', 'heat4', 'heat5'] as const satisfies readonly Token[];
const ON_HEAT = [
  'onheat0',
  'onheat1',
  'onheat2',
  'onheat3',
  'onheat4',
  'onheat5',
] as const satisfies readonly Token[];

interface Brand {
  name: string;
  isOwn: boolean;
  cells: Map<string, HeatmapRow>;
}

interface Grid {
  brands: Brand[];
  models: { id: string; name: string }[];
  most: number;
}

/** Visibility of each brand in each model, own brand first. */
export function competitorHeatmapChart(data: ProjectData): Chart {
  const grid = gridOf(data.heatmap);
  const first = data.heatmap[0];
  const window = first === undefined ? '' : formatDays(first.window_start, first.window_end);
  const shown = grid.brands.slice(0, MOST_BRANDS);
  const best = data.heatmap
    .filter((row) => row.visibility_pct !== null)
    .toSorted((a, b) => (b.visibility_pct ?? 0) - (a.visibility_pct ?? 0))[0];
  return {
    name: 'competitor-heatmap',
    title: 'Brands by AI model',
    subtitle: `Visibility of each brand in each model, percent${window === '' ? '' : ` · ${window}`}`,
    description:
      best === undefined
        ? 'Brands by AI model: no figures.'
        : `Visibility of ${grid.brands.length} brands in ${grid.models.length} models, ${window}. Highest: ${plainLabel(best.competitor_name)} in ${modelName(best)} with ${formatPercent(best.visibility_pct)}.`,
    legend: [
      { label: `0 to ${(grid.most / HEAT.length).toFixed(0)} %`, token: 'heat0', shape: 'box' },
      {
        label: `${((grid.most / HEAT.length) * (HEAT.length - 1)).toFixed(0)} to ${grid.most.toFixed(0)} %`,
        token: 'heat5',
        shape: 'box',
      },
    ],
    table: {
      columns: [{ title: 'Brand' }, ...grid.models.map(({ name }) => ({ title: name, isNumber: true }))],
      rows: grid.brands.map((brand) => [
        brand.name + (brand.isOwn ? ' (own)' : ''),
        ...grid.models.map(({ id }) => formatPercent(brand.cells.get(id)?.visibility_pct ?? null)),
      ]),
    },
    note: [
      ...(shown.some(({ cells }) =>
        grid.models.some(({ id }) => (cells.get(id)?.visibility_pct ?? null) === null),
      )
        ? [`${NO_FIGURE} means that the API gives no figure for the pair.`]
        : []),
      ...(grid.brands.length > shown.length
        ? [`${grid.brands.length - shown.length} more brands are in the table.`]
        : []),
    ].join(' '),
    noData: noDataReason(data, 'competitor_heatmap'),
    draw: best === undefined ? null : (size) => draw({ ...grid, brands: shown }, size),
  };
}

function modelName(row: HeatmapRow): string {
  return plainLabel(row.model_name ?? row.model_id) + (row.is_deprecated_model ? ' (retired)' : '');
}

function gridOf(rows: readonly HeatmapRow[]): Grid {
  const brands = new Map<string, Brand>();
  const models = new Map<string, string>();
  for (const row of rows) {
    const key = JSON.stringify([row.competitor_name, row.competitor_domain]);
    const brand = brands.get(key) ?? {
      name: plainLabel(row.competitor_name),
      isOwn: row.is_own_brand,
      cells: new Map<string, HeatmapRow>(),
    };
    brand.cells.set(row.model_id, row);
    brands.set(key, brand);
    if (row.visibility_pct !== null) models.set(row.model_id, modelName(row));
  }
  return {
    brands: [...brands.values()],
    models: [...models].map(([id, name]) => ({ id, name })).sort((a, b) => (a.id < b.id ? -1 : 1)),
    most: rows.reduce((most, row) => Math.max(most, row.visibility_pct ?? 0), 0) || 1,
  };
}

function draw(grid: Grid, size: Size): Spec {
  const isNarrow = size.name === 'narrow';
  const left = isNarrow ? 110 : 150;
  const top = isNarrow ? 92 : 44;
  const right = isNarrow ? 22 : 4;
  const cell = (size.width - left - right) / grid.models.length;
  const cells = grid.brands.flatMap((brand, row) =>
    grid.models.map((model, column) => ({
      brand,
      model,
      row,
      column,
      value: brand.cells.get(model.id)?.visibility_pct ?? null,
    })),
  );
  const words = cells.map(({ row, column, value }) => ({
    x: (column + 0.5) * cell,
    y: (row + 0.5) * ROW,
    text: value === null ? NO_FIGURE : cell < 44 ? value.toFixed(0) : value.toFixed(1),
    token: value === null ? 'muted' : (ON_HEAT[step(value, grid.most)] ?? 'ink'),
  })) satisfies { token: Token }[];
  const boxes = cells.map(({ brand, model, row, column, value }) => ({
    x: column * cell + 1,
    x2: (column + 1) * cell - 1,
    y: row * ROW + 1,
    y2: (row + 1) * ROW - 1,
    fill: value === null ? ('faint' as const) : (HEAT[step(value, grid.most)] ?? 'heat0'),
    tip: `${brand.name}\n${model.name}\n${value === null ? 'No figure' : formatPercent(value)}`,
  }));
  const names = grid.brands.map((brand, row) => ({
    x: -8,
    y: (row + 0.5) * ROW,
    text: fitText(brand.name, left - 12, FONT_SIZE),
    token: brand.isOwn ? ('own' as const) : ('ink' as const),
    isOwn: brand.isOwn,
  }));
  return plotSpec({
    width: size.width,
    height: grid.brands.length * ROW,
    padding: { left, right, top, bottom: 2 },
    layers: [
      boxLayer(boxes, { cornerRadius: 2 }),
      wordLayer(words, { align: 'center', fontSize: 11 }),
      wordLayer(
        names.filter(({ isOwn }) => !isOwn),
        { align: 'right' },
      ),
      wordLayer(
        names.filter(({ isOwn }) => isOwn),
        { align: 'right', fontWeight: 'bold' },
      ),
      isNarrow ? slantedNames(grid, cell, top) : wrappedNames(grid, cell),
    ],
  });
}

function step(value: number, most: number): number {
  return Math.min(HEAT.length - 1, Math.max(0, Math.floor((value / most) * HEAT.length)));
}

function slantedNames({ models }: Grid, cell: number, top: number): Layer {
  const words = models.map(({ name }, column) => ({
    x: (column + 0.5) * cell,
    y: -6,
    text: fitText(name, top * 1.05, 11),
    token: 'ink' as const,
  }));
  return wordLayer(words, { angle: -60, fontSize: 11 });
}

function wrappedNames({ models }: Grid, cell: number): Layer {
  const words = models.flatMap(({ name }, column) => {
    const lines = wrapText(name, cell - 6, 11).slice(0, 3);
    return lines.map((line, index) => ({
      x: (column + 0.5) * cell,
      y: -8 - (lines.length - 1 - index) * 13,
      text: fitText(line, cell - 2, 11),
      token: 'ink' as const,
    }));
  });
  return wordLayer(words, { align: 'center', fontSize: 11 });
}
