import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MEASURES } from '../../src/config/config.ts';
import { addDays, toDay } from '../../src/day.ts';
import type { Chart } from '../../src/report/chart.ts';
import type { ChartData, Line, ProjectData, Why } from '../../src/report/read-projects.ts';
import { cardBody, chartsOf, figuresTable, rangeOf } from '../../src/report/cards.ts';
import { reportPage } from '../../src/report/build-report.ts';
import { htmlOf } from '../../src/report/page.ts';
import { shiftsBody } from '../../src/report/key-figures.ts';
import { tellApart } from '../../src/report/window-charts.ts';
import { chartPicture, svgToPng } from '../../src/report/pictures.ts';
import { openFolder } from '../support/folder.ts';
import { emptyCharts, emptyProject, event, figures, kpi, NASTY } from './made.ts';
import { nastyProject, ranked, START } from './made.ts';

function chartOf(data: ChartData, name: string, days = 0): Chart {
  const chart = chartsOf(data, rangeOf(data, days)).find((one) => one.name === name);
  if (chart === undefined) throw new Error(name);
  return chart;
}

function bodyOf(data: ChartData, name: string, days = 0): string {
  return cardBody(chartOf(data, name, days), 600).text;
}

function line(name: string, shown: (number | null)[]): Line {
  return { kind: 'model', name, is_own: name === 'Own', figures: shown };
}

const BLOCK = /<\/?(?:tr|p|h\d|section|div|ul|li|details|summary|dt|header|nav|svg)\b[^>]*>/g;

/** What a page says, a line each block and each row of a table; what differs in look alone is left out. */
function wordsOf(html: string): string {
  return html
    .replaceAll(/<(script|style|svg)\b.*?<\/\1>|sha256-[^&]*/gs, '')
    .replaceAll(/class="(?:stale|good|bad|flat|none)"/g, (kind) => `>${kind}<a `)
    .replaceAll(BLOCK, '\n')
    .replaceAll(/(?:<[^>]*>)+/g, '|')
    .replaceAll(/[\s|]*\n[\s|]*/g, '\n');
}

test('words, pictures and tooltips are as in drawn.txt: look at that file before you write it with -u', async () => {
  const names = ['Kestrel', 'Tidewater & Sons', 'A name so long that it stands above its bar or is cut'];
  const full = nastyProject(names);
  const states = ['current', 'not_enabled', 'current'].map((status) => ({
    endpoint: status,
    status,
    last_covered_date: START,
    last_error: null,
  }));
  const young = emptyProject({ id: 'young', pendingFrom: START, end: addDays(START, 28), freshness: states });
  const page = htmlOf(reportPage([full, young], { now: Date.parse('2026-04-02T06:00:00Z'), days: 28 }));
  const drawn = ['visibility', 'share-of-voice', 'sentiment-split', 'action-impact'] as const;
  const parts = drawn.flatMap((name) => {
    const chart = chartOf(full.charts, name, 7);
    return [
      chartPicture(chart, { ...full, pendingFrom: START }) ?? '',
      wordsOf(figuresTable(chart.table(), chart.title).text),
      ...[0, 0.5, 0.99].map((place) => JSON.stringify(chart.tip?.(place)) ?? ''),
    ];
  });
  const grid = chartOf(full.charts, 'competitor-heatmap').draw?.(480).marks.text ?? '';
  const text = [
    wordsOf(page),
    ...parts.map((part) => part.replaceAll('><', '>\n<')),
    grid.replaceAll('/></g>', '/></g>\n'),
  ].join('\n');
  await expect(text).toMatchFileSnapshot('drawn.txt');
});

test('the page says that there is no project, and has title and logo of the configuration', () => {
  const logo = join(openFolder(), 'logo.svg');
  writeFileSync(logo, '<svg/>');
  const page = (path: string) => htmlOf(reportPage([], { now: 0, title: 'Acme & Co', logo: path }));
  expect(page(logo)).toContain('<strong>No project yet.</strong>');
  expect(page(logo)).toContain('<h1>Acme &amp; Co</h1>');
  expect(page(logo)).toContain('src="data:image/svg+xml;base64,PHN2Zy8+"');
  for (const path of ['logo.gif', join(openFolder(), 'gone.png')])
    expect(() => page(path)).toThrow(/^The logo /);
});

test('hostile names stay text in the page, and do not end the data or the script', () => {
  const html = htmlOf(reportPage([nastyProject(), nastyProject()], { now: 0, days: 90 }));
  expect(html.match(/<script/g)?.length).toBe(2);
  expect(html.match(/<\/script>/g)?.length).toBe(2);
  expect(html.match(/<\/main>/g)?.length).toBe(1);
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  // It would be most of the script.
  expect(script).not.toMatch(/zod/i);
  expect(html).not.toMatch(/<img|<!--/);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  const data = /id="report-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
  expect(JSON.parse(data)).toMatchObject({
    projects: [{ charts: { brands: NASTY.map((name) => ({ name })) } }, {}],
  });
});

test('hostile names stay text in pictures, and __proto__ is a brand like others', () => {
  const project = nastyProject();
  for (const chart of chartsOf(project.charts, rangeOf(project.charts, 0))) {
    const svg = chartPicture(chart, project);
    if (svg === null) throw new Error(`${chart.name} draws nothing`);
    const found = svg.match(/<script|<img|var\(--|<svg/g);
    expect([chart.name, found]).toEqual([chart.name, ['<svg']]);
  }
  const brands = bodyOf(project.charts, 'brand-mention-share');
  expect(brands).toContain('__proto__');
  expect(brands).toContain('constructor');
  expect(chartOf(project.charts, 'competitor-heatmap').table().rows).toHaveLength(NASTY.length);
});

test('a young warehouse is told that it is too young, not that it has no figures or that nothing shifted', () => {
  const young = figures((day) => (day < 2 ? 30 : null));
  const charts = emptyCharts({ models: [line('GPT', young)] });
  const noData = 'Not enough days yet for a 7-day average.';
  expect(chartOf(charts, 'model-visibility')).toMatchObject({ draw: null, noData });
  expect(shiftsBody(charts, { from: 0, days: 30 }).text).toContain('Too early to tell.');
});

test('a chart whose source is not enabled says so', () => {
  const off = emptyCharts({ notEnabled: ['visitor_visits'] });
  expect(chartOf(off, 'ai-visits')).toMatchObject({ draw: null, noData: 'Not enabled for this project.' });
});

test('missing figures break a line and are never zero', () => {
  const charts = emptyCharts();
  charts.daily.visibility = figures((day) => (day === 10 || day === 12 ? null : 50));
  const line = /<path d="(M[^"]*)" fill="none" stroke="var\(--ownsoft\)"/.exec(bodyOf(charts, 'visibility'));
  expect(line?.[1]?.match(/M/g)).toHaveLength(3);
  expect(chartOf(charts, 'visibility').tip?.(10.5 / 30).text).toContain('Visibility score –');
});

test('the shown days are compared with as many days before, where those are stored', () => {
  const charts = emptyCharts();
  charts.daily.all_brand_mentions = figures(() => 10);
  const own = figures((day) => (day < 20 ? 2 : 4));
  charts.brands = [line('Own', own)];
  expect(chartOf(charts, 'brand-mention-share', 10).table().rows).toEqual([['Own', '40.0%', '20.0%']]);
  expect(chartOf(charts, 'brand-mention-share', 0).table().rows).toEqual([['Own', '26.7%', '–']]);
});

test('the shown days become weeks of averages, none of them cut at its start', () => {
  const charts = emptyCharts({ days: 60, crawlers: [line('bot', Array<number>(60).fill(100))] });
  const { rows } = chartOf(charts, 'ai-crawlers').table();
  expect(rows.map(([days]) => days).slice(0, 2)).toEqual(['2 Mar – 8 Mar 2026', '9 Mar – 15 Mar 2026']);
  expect(rows).toHaveLength(9);
  expect(new Set(rows.map(([, requests]) => requests))).toEqual(new Set(['100']));
});

/** The glyphs of a drawing, from the left: where they stand, their shape, and the number beside them. */
function glyphsOf(drawn: string): { x: number; path: string; count: number }[] {
  return [
    ...drawn.matchAll(
      /<path transform="translate\(([\d.]+),[\d.]+\)" d="([^"]*)" fill="[^"]*"\/>(?:<text [^>]*>(\d+)<)?/g,
    ),
  ].map(([, x, path = '', count]) => ({ x: Number(x), path, count: Number(count ?? 1) }));
}

const KINDS = ['action', 'action', 'prompts_created', 'action', 'prompts_deleted'];

test('actions and changes of the setup have a lane and a shape each, and count where they share a day', () => {
  const charts = emptyCharts({
    events: KINDS.map((type) => event(4, { type, title: type, prompt_count: 3 })),
  });
  charts.daily.visibility = figures(() => 50);
  const glyphs = glyphsOf(chartOf(charts, 'visibility').draw?.(600).marks.text ?? '');
  expect(new Set(glyphs.map(({ x }) => x)).size).toBe(1);
  expect(new Set(glyphs.map(({ path }) => path)).size).toBe(2);
  expect(glyphs.map(({ count }) => count)).toEqual([3, 2]);
  const { text } = chartOf(charts, 'visibility').tip?.(4.5 / 30) ?? { text: '' };
  const marks = ['◆ action', '◆ action', '▲ 3 prompts added', '◆ action', '▲ 3 prompts removed'];
  expect(text.split('\n').slice(-5)).toEqual(marks);
});

test('marks keep their shape and their distance on a phone, and none is lost', () => {
  const charts = emptyCharts({ events: figures((day) => day).map((day) => event(day ?? 0)) });
  charts.daily.visibility = figures(() => 50);
  for (const width of [280, 600, 1220]) {
    const drawn = chartOf(charts, 'visibility').draw?.(width).marks.text ?? '';
    expect(drawn).not.toMatch(/scale\([\d.]+,1\)/);
    const glyphs = glyphsOf(drawn);
    expect(glyphs.reduce((sum, { count }) => sum + count, 0)).toBe(30);
    for (const [index, { x, count }] of glyphs.entries())
      expect((glyphs[index + 1]?.x ?? Infinity) - x).toBeGreaterThanOrEqual(count > 1 ? 24.9 : 11.9);
  }
});

test('what has days of its own says them in its title', () => {
  const charts = emptyCharts({
    domains: [ranked('a.example', { window_start: toDay('2026-02-01'), window_end: toDay('2026-02-28') })],
    prompts: [ranked('Which?')],
    impact: nastyProject(['One', 'Two']).charts.impact,
  });
  const titles = (['cited-domains', 'prompts', 'action-impact', 'competitor-heatmap'] as const).map(
    (name) => chartOf(charts, name).title,
  );
  expect(titles).toEqual([
    'Most cited domains, February 2026',
    'Most and least visible prompts, 1 Mar 2026',
    'Visibility after completed actions, 1 Mar 2026',
    'Brands by model',
  ]);
});

test('why visibility moved follows the chosen days, and names its own', () => {
  const part = (window_days: number, label: string, points: number): Why => ({
    window_days,
    before_from: START,
    before_to: START,
    after_from: addDays(START, window_days),
    after_to: addDays(START, 2 * window_days - 1),
    change: -2.5,
    kind: 'part',
    label,
    points,
    visibility_before: 40,
    visibility_after: 37.5,
  });
  const why = [part(7, 'real_change', -2.5), part(28, 'prompts_added', -2), part(28, 'real_change', -0.5)];
  const kpis = [kpi({ window_days: 7 }), kpi({ window_days: 28, is_changed: true, real_is_clear: true })];
  const of = (days: number) => chartOf(emptyCharts({ days: 90, why, kpis }), 'prompts', days);
  expect(of(14).title).toBe('Why visibility moved, 8 Mar – 14 Mar 2026');
  expect(of(90).title).toBe('Why visibility moved, 29 Mar – 25 Apr 2026');
  expect(of(90).subtitle).toBe('−2.5 points against 1 Mar 2026: new prompts −2.0, real change −0.5');
  const { rows } = of(90).table();
  const labels = rows.map(([label, points]) => `${label ?? ''} ${points ?? ''}`);
  expect(labels).toEqual(['New prompts −2.0', 'Real change −0.5']);
  const legend = (days: number) => of(days).legend.map(({ label }) => label);
  expect(legend(90)).toEqual(['Real fall', 'Changed prompts, models or monitors']);
  expect(legend(14)).toEqual(['Real change, not clear']);
});

test('level shifts are those of the chosen days', () => {
  const { charts } = nastyProject(['first', 'second', 'third']);
  const shown = (days: number) => shiftsBody(charts, rangeOf(charts, days)).text;
  expect(shown(2)).toContain('second');
  expect(shown(2)).not.toContain('third');
  expect(shiftsBody(charts, { from: 0, days: 7 }).text).toContain('No level shift in these 7 days.');
});

test('measures that shift within a week are one entry, and one event stands in it once', () => {
  const shift = (day: number, measure: string) => {
    return { day, measure, value_before: 40, value_after: 30, candidate_titles: 'Relaunch; Press' };
  };
  const shifts = [shift(20, 'sentiment'), shift(24, 'visibility'), shift(22, 'share_of_voice')];
  const data = emptyCharts({ shifts: [...shifts, shift(3, 'visibility')] });
  const { text } = shiftsBody(data, { from: 0, days: 30 });
  expect(text.match(/<li>/g)).toHaveLength(2);
  expect(text).toContain(
    '<strong>21 Mar – 25 Mar 2026</strong> <span>Visibility score fell from 40.0 to 30.0 · Share of voice fell from 40.0% to 30.0% · Sentiment score fell from 40.0 to 30.0</span><span class="causes">Around that day: Relaunch; Press</span>',
  );
});

test('a goal is a line in the chart of its measure, inside the plot', () => {
  const goals = MEASURES.map((measure) => kpi({ measure, goal: 90, is_on_course: false }));
  const { charts } = nastyProject(['a', 'b']);
  const data = { ...charts, kpis: goals };
  const isOver = ({ name }: { name: string }): boolean => /^goal|^visibility|^share|^ai-/.test(name);
  const shown = chartsOf(data, rangeOf(data, 0)).filter(isOver);
  expect(shown).toHaveLength(MEASURES.length);
  for (const chart of shown) {
    expect(chart.legend.filter(({ shape }) => shape === 'dashes')).toHaveLength(1);
    const { marks, height = 0 } = chart.draw?.(600) ?? {};
    const [, y] = /<path d="M40,([\d.]+)H[\d.]+"[^>]*stroke-dasharray="5 3"/.exec(marks?.text ?? '') ?? [];
    expect(Number(y)).toBeGreaterThan(0);
    expect(Number(y)).toBeLessThan(height);
  }
});

test('labels that begin alike are told apart by what differs', () => {
  const labels = ['sport', 'yoga', 'danse'].map(
    (word) => `Quelle salle de sport à Rennes choisir pour la ${word} ?`,
  );
  for (const width of [60, 120, 200, 400]) expect(new Set(tellApart(labels, width)).size).toBe(3);
  expect(tellApart(labels, 120)).toEqual(['… sport ?', '… yoga ?', '… danse ?']);
});

test('figures that are 0 everywhere are drawn as well', () => {
  const { charts } = JSON.parse(
    JSON.stringify(nastyProject(['a', 'b']), (key, value: unknown) =>
      typeof value === 'number' && !['start', 'days', 'finalDays', 'day', 'actions'].includes(key)
        ? 0
        : value,
    ),
  ) as ProjectData;
  for (const chart of chartsOf(charts, rangeOf(charts, 0)))
    expect([chart.name, chart.draw?.(600).marks.text.match(/NaN|Infinity|undefined/)]).toEqual([
      chart.name,
      chart.draw === null ? undefined : null,
    ]);
});

test('a mean that looks back to other levels stays inside the plot', () => {
  const charts = emptyCharts();
  charts.daily.visibility = figures((day) => (day < 23 ? 80 : 20));
  const drawn = chartOf(charts, 'visibility', 7).draw?.(600).marks.text ?? '';
  const [, first] = /<path d="M\d+,(-?\d+)[^"]*" fill="none" stroke="var\(--own\)"/.exec(drawn) ?? [];
  expect(Number(first)).toBeGreaterThan(80);
});

test('every chart fits the width that it is given', () => {
  const project = nastyProject();
  for (const width of [280, 600, 1220]) {
    for (const chart of chartsOf(project.charts, rangeOf(project.charts, 0))) {
      const drawing = chart.draw?.(width);
      const places = [...(drawing?.marks.text ?? '').matchAll(/ (?:x|cx)="([\d.-]+)"/g)].map(([, x]) =>
        Number(x),
      );
      expect([chart.name, width, places.filter((x) => x < 0 || x > width)]).toEqual([chart.name, width, []]);
    }
  }
});

test('a picture becomes a PNG, and without a font says what to install', async () => {
  const project = nastyProject();
  const svg = chartPicture(chartOf(project.charts, 'visibility'), project) ?? '';
  expect(Buffer.from(await svgToPng(svg)).toString('latin1')).toMatch(/^.PNG/);
  await expect(svgToPng(svg, { useSystemFonts: false })).rejects.toThrow(/fonts-dejavu-core/);
});
