import { describe, expect, test } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { chartsOf } from '../../src/report/all-charts.ts';
import { HALF, NARROW, WIDE, type ChartName } from '../../src/report/chart.ts';
import { reportPage } from '../../src/report/page.ts';
import { chartPicture } from '../../src/report/picture.ts';
import { svgToPng } from '../../src/report/png.ts';
import type { ProjectData } from '../../src/report/project-data.ts';
import { drawMarks } from '../../src/report/render-svg.ts';
import { dailyRow, emptyProject, NASTY, nastyProject } from './made.ts';

function chartOf(data: ProjectData, name: ChartName) {
  const chart = chartsOf(data).find((one) => one.name === name);
  if (chart === undefined) throw new Error(name);
  return chart;
}

async function marksOf(data: ProjectData, name: ChartName, size = HALF): Promise<string> {
  const { draw } = chartOf(data, name);
  if (draw === null) throw new Error(`${name} draws nothing`);
  return (await drawMarks(draw(size))).marks.text;
}

describe('hostile names', () => {
  test('stay text in the page', async () => {
    const html = await reportPage([nastyProject()], 0);
    expect(html.match(/<script/g)?.length).toBe(1);
    expect(html).not.toMatch(/<img/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202E]/u);
  });

  test('stay text in pictures, and __proto__ is a brand like others', async () => {
    const data = nastyProject();
    for (const chart of chartsOf(data)) {
      const svg = await chartPicture(chart, data);
      if (svg === null) continue;
      const found = svg.match(/<script|<img|var\(--|<svg/g);
      expect([chart.name, found]).toEqual([chart.name, ['<svg']]);
    }
    const brands = await marksOf(data, 'brand-mention-share');
    expect(brands).toContain('__proto__');
    expect(brands).toContain('constructor');
    expect(chartOf(data, 'competitor-heatmap').table.rows).toHaveLength(NASTY.length);
  });
});

describe('missing figures', () => {
  test('give no picture and a reason, in every chart', () => {
    for (const chart of chartsOf(emptyProject())) {
      expect(chart).toMatchObject({ name: chart.name, draw: null });
      expect(chart.noData).toMatch(/\w\.$/);
    }
  });

  test('break a line, and a day between two gaps is a dot', async () => {
    const start = toDay('2026-03-01');
    const values = [10, 11, null, 12, null, 13, 14];
    const daily = values.map((visibility, index) => dailyRow(addDays(start, index), { visibility }));
    const marks = await marksOf(emptyProject({ start, end: toDay('2026-03-07'), daily }), 'visibility');
    const line = /d="([^"]*)" stroke="var\(--ownsoft\)"/.exec(marks)?.[1] ?? '';
    expect(line.match(/M/g)).toHaveLength(3);
    expect(line.match(/L/g)).toHaveLength(2);
    expect(marks.match(/fill="var\(--ownsoft\)"/g)).toHaveLength(1);
  });

  test('are no bars of zero', async () => {
    const start = toDay('2026-03-01');
    const daily = [5, null, 0, 7].map((count, index) =>
      dailyRow(addDays(start, index), { crawler_requests_count: count }),
    );
    const data = emptyProject({ start, end: toDay('2026-03-04'), daily });
    const marks = await marksOf(data, 'ai-crawlers');
    expect(marks.match(/fill="var\(--ownsoft\)"/g)).toHaveLength(3);
    expect(chartOf(data, 'ai-crawlers').table.rows.map((row) => row[1])).toEqual(['5', '–', '0', '7']);
  });
});

describe('a chart', () => {
  test('is exactly as wide as asked', async () => {
    const chart = chartOf(nastyProject(), 'visibility');
    for (const size of [NARROW, HALF, WIDE]) {
      expect(chart.draw === null ? 0 : (await drawMarks(chart.draw(size))).width).toBe(size.width);
    }
  });

  test('lays days that may change on grey ground', async () => {
    expect(await marksOf(nastyProject(), 'visibility')).toContain('var(--pending)');
    expect(await marksOf({ ...nastyProject(), pendingFrom: null }, 'visibility')).not.toContain(
      'var(--pending)',
    );
  });

  test('marks an event of each kind', async () => {
    const marks = await marksOf(nastyProject(), 'visibility');
    expect(marks.match(/fill="var\(--rival1\)"/g)).toHaveLength(4);
    expect(marks.match(/fill="var\(--rival2\)"/g)).toHaveLength(3);
  });

  test('of actions speaks of change after, not of cause', () => {
    const chart = chartOf(nastyProject(), 'action-impact');
    const words = JSON.stringify([
      chart.title,
      chart.subtitle,
      chart.note,
      chart.table.columns,
    ]).toLowerCase();
    expect(words).toContain('change of visibility after');
    expect(words).toContain('no proof');
    expect(words).not.toMatch(/caus|impact|effect|thanks to|lift/);
  });

  test('says not enabled, failed and never asked apart', () => {
    const row = {
      endpoint: 'visibility',
      is_shared: false,
      last_covered_date: null,
      lag_days: null,
      last_success_at: null,
      last_error: null,
    };
    const reasons = ['not_enabled', 'failed', 'never_asked', 'current'].map(
      (status) => chartOf(emptyProject({ freshness: [{ ...row, status }] }), 'visibility').noData,
    );
    expect(new Set(reasons).size).toBe(4);
  });

  test('is the same in every time zone', async () => {
    const zone = process.env['TZ'];
    const pictures: string[] = [];
    for (const name of ['Pacific/Auckland', 'America/Los_Angeles']) {
      process.env['TZ'] = name;
      pictures.push(await marksOf(nastyProject(), 'visibility'));
    }
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    expect(pictures[0]).toBe(pictures[1]);
  });
});

describe('PNG', () => {
  test('is a picture of twice the size', async () => {
    const data = nastyProject();
    const svg = (await chartPicture(chartOf(data, 'cited-domains'), data)) ?? '';
    const png = Buffer.from(await svgToPng(svg));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(2 * (640 + 48));
  });

  test('is refused without a font, with what to install', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    await expect(svgToPng(svg, { useSystemFonts: false })).rejects.toThrow(/fonts-dejavu-core/);
  });
});
