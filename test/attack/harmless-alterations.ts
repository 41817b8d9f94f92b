import type { Alteration } from './alteration.ts';
import { placesOf, put } from '../support/json-places.ts';

/** Answers that say what the right ones say, or said. */
export const harmlessAlterations: readonly Alteration[] = [
  {
    name: 'noise in the last digit of means',
    effect: () => 'same',
    alter: ({ body, dice }) => {
      const means = placesOf(body).filter(({ value: v }) => typeof v === 'number' && !Number.isInteger(v));
      for (const place of means) put(place, Number(place.value) * (1 + (dice.share() - 0.5) * 1e-13));
      return means.length === 0 ? undefined : { body };
    },
  },
  {
    name: 'names in another Unicode form',
    effect: () => 'same',
    alter: ({ body, fixed }) => {
      const form = fixed.pick(['NFC', 'NFD']);
      return { body: JSON.parse(JSON.stringify(body).normalize(form)) as unknown };
    },
  },
  {
    name: 'the answer of the night before',
    effect: () => 'older',
    alter: ({ ask }) => ({ body: ask({ isStale: true }) }),
  },
];
