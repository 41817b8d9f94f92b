import { seededRandom } from '../support/seeded-random.ts';

/** Chance that is the same for the same words, whatever the order in which requests arrive. */
export type Dice = ReturnType<typeof diceOf>;

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash >>> 0;
}

export function diceOf(...words: readonly (string | number)[]) {
  /** A number in [0, 1). */
  const share = seededRandom(hashOf(words.join('\n')));
  /** A whole number in [0, count). */
  const below = (count: number): number => Math.floor(share() * count);
  const shuffle = <T>(list: readonly T[]): T[] => {
    const left = [...list];
    return list.map(() => left.splice(below(left.length), 1)).flat();
  };
  return {
    share,
    below,
    chance: (wanted: number): boolean => share() < wanted,
    pick: <T>(list: readonly T[]): T => {
      const index = below(list.length);
      if (index >= list.length) throw new RangeError('nothing to pick from');
      return list[index] as T;
    },
    pickSome: <T>(list: readonly T[], count: number): T[] => shuffle(list).slice(0, count),
  };
}
