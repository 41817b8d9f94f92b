import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { legendRows } from '../../src/report/cards.ts';
import type { Token } from '../../src/report/chart.ts';
import { dayTicks, domainOf, niceTicks, periodsOf } from '../../src/report/draw-time.ts';
import {
  fitText,
  formatDays,
  formatInstant,
  formatScore,
  formatShortCount,
  formatWindow,
  plainLabel,
  textWidth,
  withSign,
  markup,
} from '../../src/report/text.ts';

test('markup escapes every value, in lists too, and no markup twice', () => {
  expect(markup`<p title="${'"'}">${['<', markup`<b>`]}</p>`.text).toBe('<p title="&quot;">&lt;<b></p>');
});

test('labels are one line without control characters', () => {
  expect(plainLabel('line one\nline\ttwo\u202E')).toBe('line one line two');
  expect(plainLabel('\u0000')).toBe('(no name)');
  expect(plainLabel(null, 'p1')).toBe('p1');
});

test('labels fit the width they are cut to, and never through a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 30, max: 200 }), (text, width) => {
      const fitted = fitText(plainLabel(text), width, 12);
      expect(textWidth(fitted.replace('…', ''), 12)).toBeLessThanOrEqual(width);
      expect(fitted).not.toMatch(/\p{Cs}/u);
    }),
  );
});

test('numbers carry a sign and the decimals of their scale', () => {
  expect(withSign(-2.34, (size) => formatScore(size, 50))).toBe('−2.3');
  expect(withSign(0.04, (size) => formatScore(size, 50))).toBe('±0.0');
  expect(formatScore(0.123)).toBe('0.123');
  expect(formatScore(null)).toBe('–');
  expect([1_234_567, 1e6, 1e9].map(formatShortCount)).toEqual(['1.23 M', '1.00 M', '1.00 bn']);
  expect(formatDays(toDay('2025-12-30'), toDay('2026-01-02'))).toBe('30 Dec 2025 – 2 Jan 2026');
});

test('a legend takes another line where an item does not fit beside the one before', () => {
  const items = ['wide '.repeat(40), 'a', 'b'].map(
    (label) => ({ label, token: 'own', shape: 'line' }) as const,
  );
  const heights = [items, items.slice(0, 1), items.slice(1), []].map((some) => legendRows(some, 200).height);
  expect(heights).toEqual([40, 20, 20, 0]);
});

test('ticks are Mondays or firsts of months, and few', () => {
  expect(dayTicks(toDay('2026-08-22'), 90, 14)[0]).toBe(2);
  expect(dayTicks(toDay('2026-08-22'), 90, 4)).toEqual([10, 40, 71]);
  expect(dayTicks(toDay('2023-01-01'), 1097, 5).length).toBeLessThanOrEqual(5);
});

test('ticks of an axis are round and inside', () => {
  expect(niceTicks([31, 52], 4)).toEqual([35, 40, 45, 50]);
  expect(niceTicks([0, 1], 4)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
});

test('periods are days, whole weeks from Monday or whole months, to the end of the range', () => {
  const start = toDay('2026-08-22');
  for (const [key, first] of Object.entries({ 1: 0, 45: 0, 46: 2, 400: 2, 401: 10, 1100: 10 })) {
    const days = Number(key);
    const periods = periodsOf(start, { from: 0, days });
    expect(periods[0]?.from).toBe(first);
    expect(periods.reduce((sum, period) => sum + period.days, first)).toBe(days);
    expect(periods.length).toBeLessThanOrEqual(60);
  }
  expect(periodsOf(start, { from: 0, days: 90 }).slice(0, 2)).toEqual([
    { from: 2, days: 7 },
    { from: 9, days: 7 },
  ]);
});

test('a window is called by its month where it is one', () => {
  const words = (start: string, end: string) => formatWindow(toDay(start), toDay(end));
  expect(words('2026-10-01', '2026-10-31')).toBe('October 2026');
  expect(words('2026-02-01', '2026-02-28')).toBe('February 2026');
  expect(words('2026-10-01', '2026-11-30')).toBe('1 Oct – 30 Nov 2026');
  expect(words('2026-10-30', '2026-11-26')).toBe('30 Oct – 26 Nov 2026');
  expect(words('2026-11-01', '2026-11-01')).toBe('1 Nov 2026');
  expect(formatInstant(Date.parse('2026-11-01T04:05:06Z'))).toBe('1 Nov 2026, 04:05 UTC');
});

test('a domain holds every value with some room, and ends where its scale ends', () => {
  expect(domainOf([40, null, 60])).toEqual([38.4, 61.6]);
  expect(domainOf([-10, 99], 100)).toEqual([-18.72, 100]);
  expect(domainOf([1, 99])[0]).toBe(0);
  expect(domainOf([50, 50])).toEqual([49.2, 50.8]);
  expect(domainOf([0, 0])).toEqual([0, 0.08]);
  expect(domainOf([null])).toEqual([0, 1]);
});

describe('colours', () => {
  const channel = (value: number): number =>
    value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
      channel(Number.parseInt(colour.slice(at, at + 2), 16) / 255),
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a: string, b: string): number => {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  const [light, dark] = readFileSync('src/report/page.css', 'utf8')
    .split('@media')
    .map((part) => new Map([...part.matchAll(/--(\w+): (#\w+)/g)].map(([, name, colour]) => [name, colour])));

  test.each([
    ['light', light],
    ['dark', dark],
  ])('colours of text stand out by 4.5 to 1 in %s', (_, colours) => {
    const rivals = ['rival1', 'rival2', 'rival3', 'rival4'] as const;
    const texts = ['ink', 'muted', 'good', 'bad', 'own', ...rivals, 'other'] as const;
    const pairs: (readonly [Token, Token])[] = [
      ...texts.map((token) => [token, 'card'] as const),
      ...(['page', 'faint'] as const).flatMap((ground) => [
        ['ink', ground] as const,
        ['muted', ground] as const,
      ]),
      ...([0, 1, 2, 3] as const).map((step) => [`heat${step}`, 'ink'] as const),
      ...([4, 5] as const).map((step) => [`heat${step}`, 'card'] as const),
    ];
    const found = pairs.filter(([a, b]) => !(contrast(colours?.get(a) ?? '', colours?.get(b) ?? '') >= 4.5));
    expect(found).toEqual([]);
  });
});

test('a label is not wider than the widest common face draws it', () => {
  // Widths in DejaVu Sans at 12 pixels, measured in a browser.
  const drawn = {
    'Which event tracking gives the most fo': 236.1,
    'Kestrel compared with Spreadsheets f': 228,
    '3 actions: Brief the agency on dashboards for startups': 327.4,
  };
  for (const [text, width] of Object.entries(drawn)) {
    expect(textWidth(text, 12)).toBeGreaterThanOrEqual(width);
    expect(textWidth(text, 12)).toBeLessThan(width * 1.1);
  }
});
