import { expect, it } from 'vitest';
import { recordFigure } from '../exhaustive/figures.ts';
import { runNights, type NightFigures } from './daemon-year.ts';

const MEBIBYTE = 1024 * 1024;
const NIGHTS = Number(process.env['ANSWERLAKE_SOAK_NIGHTS'] ?? 365);
/** The first nights fill caches and compile code. */
const WARM = 10;

/** The middle one of ten nights. */
function middle(nights: readonly NightFigures[], figure: keyof NightFigures): number {
  const numbers = nights.map((night) => night[figure]).toSorted((a, b) => a - b);
  return numbers[Math.floor(numbers.length / 2)] ?? 0;
}

it('a year of nights in one process leaves memory flat, files small and the last night cheap', async () => {
  const { nights, freshPublishedBytes, freshWorkingBytes } = await runNights(NIGHTS);
  // The same process and the same minutes of the machine, but nothing of the year in the files.
  const young = (await runNights(WARM + 5)).nights.slice(-10);
  const early = nights.slice(WARM - 5, WARM + 5);
  const late = nights.slice(-10);
  const last = nights.at(-1);
  const ratio = (figure: keyof NightFigures): number => middle(late, figure) / middle(early, figure);
  const nightly = middle(late, 'processorMs') / middle(young, 'processorMs');
  const published = (last?.publishedBytes ?? 0) / freshPublishedBytes;
  const working = (last?.workingBytes ?? 0) / freshWorkingBytes;
  const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(0)} MiB`;
  const promises = {
    'every night ends with 0': nights.every(({ exitCode }) => exitCode === 0),
    'the heap stays within a third': ratio('heapBytes') < 1.33,
    'resident memory stays within a half': ratio('residentBytes') < 1.5,
    'the published file is at most 1.1 times a fresh one': published <= 1.1,
    'the working file is at most 1.1 times a fresh one': working <= 1.1,
    'the last nights cost at most 1.5 times the tenth night of a new warehouse': nightly <= 1.5,
  };
  const broken = Object.entries(promises).filter(([, holds]) => !holds);
  recordFigure({
    order: 12,
    promise:
      'A year of nights in one process: memory flat, files small, the last night as cheap as the tenth',
    how: 'The daemon of one process does a night after the other, with its clock set a day further after each; late answers change days of the look-back. Figures are the middle of ten nights around the tenth and of the last ten, memory after garbage collection. A fresh file is a copy of what the file holds. After the year, the same process does the first nights of a new warehouse.',
    cases: nights.length,
    violations: broken.length,
    details: {
      'processor time of a night, then and at the end': `${String(middle(early, 'processorMs'))} ms, ${String(middle(late, 'processorMs'))} ms`,
      'processor time at the end, against the tenth night of a new warehouse right after': `${nightly.toFixed(2)} times`,
      'heap, then and at the end': `${mebibytes(middle(early, 'heapBytes'))}, ${mebibytes(middle(late, 'heapBytes'))}`,
      'resident memory, then and at the end': `${mebibytes(middle(early, 'residentBytes'))}, ${mebibytes(middle(late, 'residentBytes'))}`,
      'published file against a fresh one': published.toFixed(2),
      'working file against a fresh one': working.toFixed(2),
    },
  });
  expect(broken.map(([promise]) => promise)).toEqual([]);
});
