import { expect, it } from 'vitest';
import { amount } from '../../src/text.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
  [-123, '-123'],
  [-4321, '-4,321'],
])('%d is written as %s', (value, text) => {
  expect(amount(value)).toBe(text);
});
