import { seededRandom } from '../support/seeded-random.ts';

/** Chance that is the same for the same words, whatever the order in which requests arrive. */
export interface Dice {
  /** A number in [0, 1). */
  share(): number;
  /** A whole number in [0, count). */
  below(count: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  pickSome<T>(list: readonly T[], count: number): T[];
  shuffle<T>(list: readonly T[]): T[];
}

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash >>> 0;
}

export function diceOf(...words: readonly (string | number)[]): Dice {
  const share = seededRandom(hashOf(words.join('\n')));
  const below = (count: number): number => Math.floor(share() * count);
  const shuffle = <T>(list: readonly T[]): T[] => {
    const left = [...list];
    return list.map(() => left.splice(below(left.length), 1)).flat();
  };
  return {
    share,
    below,
    chance: (wanted) => share() < wanted,
    pick: (list) => {
      const index = below(list.length);
      if (index >= list.length) throw new RangeError('nothing to pick from');
      return list[index] as (typeof list)[number];
    },
    pickSome: (list, count) => shuffle(list).slice(0, count),
    shuffle,
  };
}
