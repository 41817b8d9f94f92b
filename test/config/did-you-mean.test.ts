import { expect, it } from 'vitest';
import { nearest } from '../../src/text.ts';

const names = ['visibility', 'sentiment', 'share_of_voice', 'crawler_requests'];

it.each([
  ['visibilty', 'visibility'],
  ['share-of-voice', 'share_of_voice'],
  ['shareOfVoice', 'share_of_voice'],
  ['setniment', 'sentiment'],
  ['crawler', 'crawler_requests'],
])('nearest takes %s for %s', (word, meant) => {
  expect(nearest(word, names)).toBe(meant);
});

it('nearest has no idea for something else', () => {
  expect(nearest('zebra', names)).toBeUndefined();
});
