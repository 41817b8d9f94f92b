import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { packCharts, packFigures, unpackCharts, unpackFigures } from '../../src/report/packed-charts.ts';
import { nastyProject } from './made.ts';

const figure = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -5000, max: 5000 }),
  fc.integer({ min: 0, max: 100_000 }).map((score) => score / 100),
  fc.integer({ min: 0, max: 20_000 }).map((share) => share / 10_000),
  fc.integer({ min: 0, max: 1_000_000_000 }),
  fc.double({ noNaN: true }),
);

test('packed figures are unpacked as they were, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(figure), (figures) => {
      const known = figures.map((one) => (one === 0 ? 0 : one));
      expect(unpackFigures(packFigures(known))).toEqual(known);
    }),
  );
});

test('packed figures take two letters where they stray by less than twenty points', () => {
  const figures = Array.from({ length: 1000 }, (_, day) => 40 + ((day * 7) % 19) + (day % 100) / 100);
  const packed = packFigures(figures.map((one) => Math.round(one * 100) / 100));
  expect(packed).toMatch(/^2[!-~]{1000,2004}$/);
  expect(packed).not.toMatch(/["&'<>\\]/);
});

test('packed charts are unpacked as they were', () => {
  const { charts } = nastyProject();
  expect(unpackCharts(packCharts(charts))).toEqual(charts);
});
