import type { ActionHistory } from './actions.ts';
import { dayFromNumber } from '../src/day.ts';
import { hashText, mix, unit } from './random.ts';
import type { Schedule, WorldProject, WorldPrompt } from './world.ts';

/** How much of a day is known and how it was corrected; both influence its numbers. */
export interface DayVersion {
  /** Share of the day's answers that have arrived, 0 to 1. */
  arrived: number;
  /** Factor for chances and counts; 1 changes nothing. */
  factor: number;
  /** Number of corrections so far. */
  corrections: number;
}

/** Counts by cell (prompt × model), `width` numbers per cell. */
export type Cells = Uint16Array;

export const RESPONSES = 0;
export const POSITIVE = 1;
export const NEGATIVE = 2;
export const NEUTRAL = 3;
export const UNKNOWN = 4;
export const CITED = 5;
export const FIRST_BRAND = 6;

const DAY_MS = 86_400_000;
/** 2025-01-01: where every trend starts, regardless of the window and the first day. */
const EPOCH = 20_089;

export interface CellMaker {
  width: number;
  firstDomain: number;
  make(dayNumber: number, version: DayVersion): Cells;
}

function sigmoid(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

const TYPE_SHIFT = { ORGANIC: 0, BRAND_SPECIFIC: 2.2, COMPETITOR_COMPARISON: 1 } as const;

/** Computes the facts of one day of a project: a pure function of project, seed, day and version. */
export function createCellMaker(project: WorldProject, seed: number, actions: ActionHistory): CellMaker {
  const { brands, domains, models, prompts } = project;
  const own = mix(seed, hashText(project.id));
  const firstDomain = FIRST_BRAND + 2 * brands.length;
  const width = firstDomain + 3 * domains.length;
  const modelSeeds = models.map((model) => mix(own, hashText(model.id)));
  const promptSeeds = prompts.map((prompt) => mix(own, hashText(prompt.id)));
  const brandSeeds = brands.map((brand) => mix(own, hashText(`brand/${brand.id}`)));
  const domainSeeds = domains.map((domain) => mix(own, hashText(`domain/${domain.domain}`)));
  const brandDraws = Int32Array.from(brandSeeds, (seed) => seed | 0);
  const domainDraws = Int32Array.from(domainSeeds, (seed) => seed | 0);
  const brandByPrompt = grid(promptSeeds, brandSeeds, (share) => 1.6 * (share - 0.5));
  const brandByModel = grid(modelSeeds, brandSeeds, (share) => 1.6 * (share - 0.5));
  const silent = models.findIndex(({ id }) => id === project.silentModel);
  if (silent >= 0) brandByModel[silent * brands.length] = -Infinity;
  const domainByPrompt = grid(promptSeeds, domainSeeds, (share) => 2 * share);
  const domainByModel = grid(modelSeeds, domainSeeds, (share) => 0.4 + 1.2 * share);

  function brandLevels(dayNumber: number): number[] {
    const age = dayNumber - EPOCH;
    const long = 1 - Math.exp(-Math.max(0, age) / 330);
    const weekend = (dayNumber + 3) % 7 > 4 ? -0.08 : 0.03;
    return brands.map((brand, index) => {
      const brandSeed = brandSeeds[index] ?? 0;
      const wave = 0.22 * Math.sin(age / (38 + (brandSeed % 60)) + (brandSeed % 7));
      const noise = 0.24 * (unit(brandSeed, dayNumber) - 0.5);
      const self = index === 0 ? project.growth * long + actions.lift(dayNumber) : 0;
      return brand.strength + wave + weekend + noise + self;
    });
  }

  function domainLevels(dayNumber: number): number[] {
    const month = new Date(dayNumber * DAY_MS).getUTCMonth() % 2 === 0 ? 'odd' : 'even';
    return domains.map((domain, index) => {
      if (domain.months !== undefined && domain.months !== month) return 0;
      const domainSeed = domainSeeds[index] ?? 0;
      const wave = 1 + 0.35 * Math.sin((dayNumber - EPOCH) / (30 + (domainSeed % 80)) + (domainSeed % 5));
      const lift = index === 0 ? 1 + 0.5 * actions.lift(dayNumber) : 1;
      return domain.rate * wave * lift * (0.8 + 0.4 * unit(domainSeed, dayNumber));
    });
  }

  function fillBrands(cells: Cells, at: number, cell: CellDay): void {
    const { responses, draw } = cell;
    for (let brand = 0; brand < brands.length; brand += 1) {
      const seed = brandDraws[brand] ?? 0;
      const affinity =
        (brandByPrompt[cell.prompt * brands.length + brand] ?? 0) +
        (brandByModel[cell.model * brands.length + brand] ?? 0);
      const logOdds = (cell.brandLevels[brand] ?? 0) + affinity + (brand === 0 ? cell.shift : 0);
      const mentions = Math.min(
        responses,
        Math.floor(responses * sigmoid(logOdds) * cell.factor + unit(draw, seed)),
      );
      if (mentions === 0) continue;
      cells[at + FIRST_BRAND + 2 * brand] = mentions;
      cells[at + FIRST_BRAND + 2 * brand + 1] = Math.round(mentions * (40 + 55 * unit(draw, seed + 1)));
    }
  }

  function fillSentiment(cells: Cells, at: number, cell: CellDay): void {
    const { responses, draw } = cell;
    const mentions = cells[at + FIRST_BRAND] ?? 0;
    const mood = Math.min(0.9, Math.max(0.1, cell.mood * cell.factor));
    const positive = Math.min(mentions, Math.floor(mentions * mood + unit(draw, 11)));
    const negative = Math.min(mentions - positive, Math.floor((mentions - positive) * 0.28 + unit(draw, 12)));
    const rest = mentions - positive - negative;
    const unsure = rest > 0 && unit(draw, 13) < 0.05 ? 1 : 0;
    cells[at + POSITIVE] = positive;
    cells[at + NEGATIVE] = negative;
    cells[at + NEUTRAL] = rest - unsure;
    cells[at + UNKNOWN] = responses - mentions + unsure;
  }

  function fillDomains(cells: Cells, at: number, cell: CellDay): void {
    const { draw } = cell;
    let cited = 0;
    for (let index = 0; index < domains.length; index += 1) {
      const seed = domainDraws[index] ?? 0;
      const affinity =
        (domainByPrompt[cell.prompt * domains.length + index] ?? 0) *
        (domainByModel[cell.model * domains.length + index] ?? 0);
      const mean = (cell.domainLevels[index] ?? 0) * affinity * cell.factor * cell.responses;
      const citations = Math.floor(mean + unit(draw, seed));
      if (citations === 0) continue;
      cited += citations;
      const target = at + firstDomain + 3 * index;
      cells[target] = citations;
      if (unit(draw, seed + 1) <= 0.06) continue;
      cells[target + 1] = citations;
      cells[target + 2] = (domains[index]?.rank ?? 1) + (mix(draw, seed + 2) % 3);
    }
    cells[at + CITED] = cited;
  }

  return {
    width,
    firstDomain,
    make(dayNumber, version) {
      const cells = new Uint16Array(prompts.length * models.length * width);
      if (project.gapShare > 0 && unit(own, dayNumber) < project.gapShare) return cells;
      const levels = brandLevels(dayNumber);
      const cited = domainLevels(dayNumber);
      const expected = project.responsesPerDay * version.arrived;
      const noise = modelSeeds.map((seed) => 0.5 * (unit(seed, dayNumber) - 0.5));
      prompts.forEach((prompt, promptIndex) => {
        if (!isAsked(prompt, dayNumber)) return;
        for (let model = 0; model < models.length; model += 1) {
          if (!isOn(models[model]?.asked, dayNumber)) continue;
          const modelSeed = modelSeeds[model] ?? 0;
          const key = mix(mix(promptSeeds[promptIndex] ?? 0, modelSeed), dayNumber) | 0;
          const responses =
            project.isExact === true
              ? project.responsesPerDay
              : Math.floor(expected * (0.92 + 0.1 * unit(key, 1)) + unit(key, 2) * 0.99);
          if (responses === 0) continue;
          const cell: CellDay = {
            prompt: promptIndex,
            model,
            draw: mix(key, version.corrections) | 0,
            responses,
            factor: version.factor,
            shift: TYPE_SHIFT[prompt.type] + (noise[model] ?? 0),
            mood: 0.52 + 0.08 * (levels[0] ?? 0) + 0.18 * (unit(modelSeed, 5) - 0.5),
            brandLevels: levels,
            domainLevels: cited,
          };
          const at = (promptIndex * models.length + model) * width;
          cells[at + RESPONSES] = responses;
          fillBrands(cells, at, cell);
          fillSentiment(cells, at, cell);
          fillDomains(cells, at, cell);
        }
      });
      return cells;
    },
  };
}

/** An inactive prompt is never asked; a deleted one is asked until the day of its deletion. */
function isAsked(prompt: WorldPrompt, dayNumber: number): boolean {
  if (!prompt.isActive || Math.floor(prompt.createdAt / DAY_MS) > dayNumber) return false;
  if (!isOn(prompt.asked, dayNumber)) return false;
  return prompt.deletedAt === undefined || Math.floor(prompt.deletedAt / DAY_MS) >= dayNumber;
}

function isOn(schedule: Schedule | undefined, dayNumber: number): boolean {
  if (schedule === undefined) return true;
  const { since, until, weekdays, dayOfMonth } = schedule;
  const day = dayFromNumber(dayNumber);
  return (
    (since === undefined || since <= day) &&
    (until === undefined || day <= until) &&
    // 1970-01-01 was a Thursday.
    (weekdays === undefined || weekdays.includes((dayNumber + 4) % 7)) &&
    (dayOfMonth === undefined || Number(day.slice(8)) === dayOfMonth)
  );
}

/** One number per pair, derived from their seeds; row by row. */
function grid(
  rows: readonly number[],
  columns: readonly number[],
  scale: (share: number) => number,
): Float64Array {
  return Float64Array.from(rows.flatMap((row) => columns.map((column) => scale(unit(column, row)))));
}

interface CellDay {
  /** Indexes into the project's prompts and models. */
  prompt: number;
  model: number;
  draw: number;
  responses: number;
  factor: number;
  /** Log-odds that prompt type and model add for the brand of the project. */
  shift: number;
  /** Chance that a mention is positive. */
  mood: number;
  brandLevels: readonly number[];
  domainLevels: readonly number[];
}
