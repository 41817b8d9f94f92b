import { catalogue } from '../support/catalogue.ts';
import { absenceAlterations, pagingAlterations } from './absence-alterations.ts';
import type { Alteration, Effect } from './alteration.ts';
import type { Placement } from './altered-answers.ts';
import { NIGHTS } from './attacked-api.ts';
import { diceOf } from './dice.ts';
import { figureAlterations } from './figure-alterations.ts';
import { harmlessAlterations, questionAlterations } from './question-alterations.ts';
import { tablesOf } from './warehouse-content.ts';
import { refusalAlterations } from './refusal-alterations.ts';

/** The second alteration of a case comes from each family as often as from any other. */
const FAMILIES: readonly (readonly Alteration[])[] = [
  figureAlterations,
  absenceAlterations,
  questionAlterations,
  pagingAlterations,
  refusalAlterations,
  harmlessAlterations,
];
export const ALTERATIONS = FAMILIES.flat();
/** Two endpoints fill columns of its rows: both are asked, or none. */
const SHARED_TABLE = 'citation_totals';
const OF_PROJECTS = catalogue.filter(({ cut, askedPer }) => cut.kind !== 'lookup' && askedPer === 'project');
/** The endpoints whose answers name the models and monitors that others are asked for. */
const NAMING_FILTERS = ['models', 'prompts'];
/** Changes that one night makes, and that only a run which asks for the day again undoes. */
const BELIEVED_AT_ONCE: readonly Effect[] = ['nulled', 'zeroed', 'older', 'figure'];
/** What stays wrong on as many sync days is known, and what is refused is asked about once a week from then on. */
const ALARM_DAYS = 3;

export interface CasePlan {
  /** The first run creates the warehouse. */
  isEmpty: boolean;
  /** UTC hour of all runs. */
  hour: number;
  endpoints: readonly string[];
  placements: readonly Placement[];
  /** Nights of the weekly job, which asks for all days again. */
  weekly: ReadonlySet<number>;
  /** Nights on which a run asks for everything again, and for what is known to be refused. */
  full: ReadonlySet<number>;
  /** The second night after the repair: everything is the truth again. */
  healed: number;
  /** The third, with the requests of an ordinary night. */
  end: number;
}

export const isAlteredOn = (night: number, { from, nights }: Placement): boolean =>
  from <= night && night < from + nights;

/**
 * One or two alterations, the nights on which they alter answers, and the endpoints that are asked.
 * The first alteration is that of the seed's turn, all else is chance.
 */
export function planCase(seed: number, projectIds: readonly string[]): CasePlan {
  const dice = diceOf(seed);
  const isEmpty = dice.chance(0.2);
  const first = isEmpty ? 0 : 1;
  const placements = Array.from({ length: dice.chance(0.5) ? 2 : 1 }, (_, number): Placement => {
    const ofTurn = number === 0 ? ALTERATIONS[seed % ALTERATIONS.length] : undefined;
    const alteration = ofTurn ?? dice.pick(dice.pick(FAMILIES));
    const fitting = OF_PROJECTS.filter((endpoint) => alteration.effect(endpoint) !== null);
    const chosen = dice.chance(0.15) ? fitting : [dice.pick(fitting)];
    const from = first + (number === 0 ? 0 : dice.pick([0, 0, 1, 2]));
    return {
      alteration,
      paths: new Set(chosen.map(({ path }) => path)),
      projectId: dice.chance(0.6) || alteration.ignoresProject === true ? null : dice.pick(projectIds),
      seed: `${String(seed)}/${String(number)}`,
      from,
      nights: Math.min(dice.pick([1, 2, 3, 4, 5]), NIGHTS - 3 - from),
    };
  });
  const altered = OF_PROJECTS.filter(({ path }) => placements.some(({ paths }) => paths.has(path)));
  const asked = new Set([...dice.pickSome(altered, 4), dice.pick(OF_PROJECTS)].map(({ name }) => name));
  if (isEmpty) for (const name of NAMING_FILTERS) asked.add(name);
  const sharing = OF_PROJECTS.filter(({ name }) => tablesOf(name).includes(SHARED_TABLE));
  if (sharing.some(({ name }) => asked.has(name))) for (const { name } of sharing) asked.add(name);
  const repaired = Math.max(...placements.map(({ from, nights }) => from + nights));
  const nights = Array.from({ length: repaired - first }, (_, index) => first + index);
  const weekly = nights.filter(() => dice.chance(0.15));
  return {
    isEmpty,
    hour: dice.pick([3, 22.5]),
    endpoints: catalogue.filter(({ name }) => asked.has(name)).map(({ name }) => name),
    placements,
    weekly: new Set(weekly),
    full: new Set(healingNights({ isEmpty, placements, weekly }, repaired)),
    healed: repaired + 1,
    end: repaired + 2,
  };
}

/** Nights after the repair on which all days must be asked for again to be as in the truth. */
function healingNights(
  { isEmpty, placements, weekly }: Pick<CasePlan, 'isEmpty' | 'placements'> & { weekly: readonly number[] },
  repaired: number,
): number[] {
  const effects = placements.flatMap(({ alteration }) => OF_PROJECTS.map((one) => alteration.effect(one)));
  const isLong = isEmpty || weekly.length > 0 || placements.some(({ nights }) => nights > 1);
  const isKnown = placements.some(({ nights }) => nights >= ALARM_DAYS);
  const isLasting =
    BELIEVED_AT_ONCE.some((effect) => effects.includes(effect)) || (isLong && effects.includes('absent'));
  return [...(isKnown ? [repaired] : []), ...(isLasting ? [repaired + 1] : [])];
}
