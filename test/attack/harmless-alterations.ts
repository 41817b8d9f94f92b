import type { Alteration } from './alteration.ts';

/** Answers that say what the right ones say, or said. */
export const harmlessAlterations: readonly Alteration[] = [
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
