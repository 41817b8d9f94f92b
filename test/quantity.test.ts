import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { amount, formatBytes, formatDuration, parseDuration } from '../src/quantity.ts';
import { shellWord, suggestion, visibleText } from '../src/errors.ts';

test.each([
  ['a\u001b[2Jb', 'a\\u001b[2Jb'],
  ['line\nnext\ttab\r', 'line\nnext\ttab\\u000d'],
  ['\u202Eright\u2069 \u0085', '\\u202eright\\u2069 \\u0085'],
  ['日本茶 🍵 {}', '日本茶 🍵 {}'],
])('visibleText shows %j as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test.each([
  ['/srv/lake/a.yaml', '/srv/lake/a.yaml'],
  ['/srv/my lake', "'/srv/my lake'"],
  ["it's", String.raw`'it'\''s'`],
  ['~lake', "'~lake'"],
])('shellWord writes %j as %j', (word, written) => {
  expect(shellWord(word)).toBe(written);
});

const NAMES = ['visibility', 'sentiment', 'share_of_voice', 'crawler_requests', 'abcd', 'abce'];
test.each([
  ['visibilty', 'visibility'],
  ['share-of-voice', 'share_of_voice'],
  ['shareOfVoice', 'share_of_voice'],
  ['VISIBILITY', 'visibility'],
  ['craw', undefined],
  ['zebra', undefined],
  // Two changes of a short word are near, three are not.
  ['abxy', 'abcd'],
  ['axyz', undefined],
  ['dcba', undefined],
  ['bcda', 'abcd'],
  ['cdab', undefined],
  // A third of a long word may differ.
  ['crawlerxxxxests', 'crawler_requests'],
  ['crawxxxxxxests', undefined],
])('suggestion takes %s for %s', (word, meant) => {
  const list = `there is: ${NAMES.join(', ')}`;
  expect(suggestion(word, NAMES)).toBe(meant === undefined ? list : `did you mean ${meant}?`);
});

test.each([
  ['2h', 7_200_000],
  ['90m', 5_400_000],
  [' 45s ', 45_000],
  ['1h30m', 5_400_000],
  ['1.25  h', 4_500_000],
  ['250ms', 250],
  ['1d', 86_400_000],
  ['0', 0],
])('parseDuration reads %j as %i', (text, durationMs) => {
  expect(parseDuration(text)).toBe(durationMs);
});

test.each(['', '5', '-1h', 'h', '2 hours', '1h 30', 'NaN', '9999999999999999d'])(
  'parseDuration refuses %j',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

const WRITERS = { formatDuration, amount, formatBytes };

test.each([
  ['formatDuration', 820, '820 ms'],
  ['formatDuration', 1000, '1.0 s'],
  ['formatDuration', 12_400, '12.4 s'],
  ['formatDuration', 60_000, '1m'],
  ['formatDuration', 200_000, '3m 20s'],
  ['formatDuration', 3_600_000, '1h'],
  ['formatDuration', 7_500_000, '2h 5m'],
  ['amount', 0, '0'],
  ['amount', 999, '999'],
  ['amount', 1000, '1,000'],
  ['amount', 1_234_567, '1,234,567'],
  ['amount', -123, '-123'],
  ['amount', -4321, '-4,321'],
  ['formatBytes', 1, '1 KiB'],
  ['formatBytes', 12_000, '12 KiB'],
  ['formatBytes', 1_048_576, '1.0 MiB'],
  ['formatBytes', 3_600_000, '3.4 MiB'],
  ['formatBytes', 1_073_741_824, '1.0 GiB'],
  ['formatBytes', 1_610_612_736, '1.5 GiB'],
] as const)('%s writes %i as %s', (writer, value, text) => {
  expect(WRITERS[writer](value)).toBe(text);
});

test('no message counts "1 rows": a number before a plural noun comes from `counted`', () => {
  const plural =
    /(?<!\b(?:all|of|of the) )\$\{(?!(?:String\(|amount\(tools\.)?MAX_)[^}]*\} (?:answers|endpoints|entries|files|requests|rows|slices)\b/;
  const src = join(import.meta.dirname, '..', 'src');
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      readFileSync(join(src, file), 'utf8')
        .split('\n')
        .map((line) => `${file}: ${line.trim()}`),
    )
    .filter((line) => plural.test(line));
  expect(found).toEqual([]);
});
