import type { ActionHistory } from './actions.ts';
import { hashText, mix, unit } from './random.ts';
import type { WorldProject } from './world.ts';

/** How much of a day is known and how it was corrected; part of what decides its numbers. */
export interface DayVersion {
  /** Share of the day's answers that are in, 0 to 1. */
  arrived: number;
  /** Factor on chances and counts, 1 for none. */
  factor: number;
  /** Number of corrections so far. */
  corrections: number;
}

/** Counts by cell (prompt × model), `width` numbers a cell. */
export type Cells = Uint16Array;

export const RESPONSES = 0;
export const POSITIVE = 1;
export const NEGATIVE = 2;
export const NEUTRAL = 3;
export const UNKNOWN = 4;
export const CITED = 5;
export const FIRST_BRAND = 6;

const DAY_MS = 86_400_000;
/** 2025-01-01: where every trend starts, whatever the window or the first day. */
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

/** Makes the day facts of a project: a pure function of project, seed, day and version. */
export function createCellMaker(project: WorldProject, seed: number, actions: ActionHistory): CellMaker {
  const { brands, domains, models, prompts } = project;
  const own = mix(seed, hashText(project.id));
  const firstDomain = FIRST_BRAND + 2 * brands.length;
  const width = firstDomain + 3 * domains.length;
  const modelSeeds = models.map((model) => mix(own, hashText(model.id)));
  const promptSeeds = prompts.map((prompt) => mix(own, hashText(prompt.id)));
  const brandSeeds = brands.map((brand) => mix(own, hashText(`brand/${brand.id}`)));
  const domainSeeds = domains.map((domain) => mix(own, hashText(`domain/${domain.domain}`)));

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
    return domains.map((domain, index) => {
      const domainSeed = domainSeeds[index] ?? 0;
      const wave = 1 + 0.35 * Math.sin((dayNumber - EPOCH) / (30 + (domainSeed % 80)) + (domainSeed % 5));
      const lift = index === 0 ? 1 + 0.5 * actions.lift(dayNumber) : 1;
      return domain.rate * wave * lift * (0.8 + 0.4 * unit(domainSeed, dayNumber));
    });
  }

  function fill(cells: Cells, at: number, cell: CellDay): void {
    const { responses, factor, key, promptSeed, modelSeed } = cell;
    const draw = mix(key, cell.corrections);
    cells[at + RESPONSES] = responses;
    for (let brand = 0; brand < brands.length; brand += 1) {
      const brandSeed = brandSeeds[brand] ?? 0;
      const affinity = 1.6 * (unit(brandSeed, promptSeed) + unit(brandSeed, modelSeed) - 1);
      const chance =
        sigmoid((cell.brandLevels[brand] ?? 0) + affinity + (brand === 0 ? cell.shift : 0)) * factor;
      const mentions = Math.min(responses, Math.floor(responses * chance + unit(draw, brandSeed)));
      cells[at + FIRST_BRAND + 2 * brand] = mentions;
      cells[at + FIRST_BRAND + 2 * brand + 1] = Math.round(mentions * (40 + 55 * unit(draw, brandSeed + 1)));
    }
    const mentions = cells[at + FIRST_BRAND] ?? 0;
    const mood = 0.52 + 0.08 * (cell.brandLevels[0] ?? 0) + 0.18 * (unit(modelSeed, 5) - 0.5);
    const positive = Math.min(
      mentions,
      Math.floor(mentions * Math.min(0.9, Math.max(0.1, mood * factor)) + unit(draw, 11)),
    );
    const negative = Math.min(mentions - positive, Math.floor((mentions - positive) * 0.28 + unit(draw, 12)));
    const unsure = mentions - positive - negative > 0 && unit(draw, 13) < 0.05 ? 1 : 0;
    cells[at + POSITIVE] = positive;
    cells[at + NEGATIVE] = negative;
    cells[at + NEUTRAL] = mentions - positive - negative - unsure;
    cells[at + UNKNOWN] = responses - mentions + unsure;
    fillDomains(cells, at, { ...cell, key: draw });
  }

  function fillDomains(cells: Cells, at: number, cell: CellDay): void {
    let cited = 0;
    for (let index = 0; index < domains.length; index += 1) {
      const domainSeed = domainSeeds[index] ?? 0;
      const affinity = unit(domainSeed, cell.promptSeed) * (0.4 + 1.2 * unit(domainSeed, cell.modelSeed)) * 2;
      const mean = (cell.domainLevels[index] ?? 0) * affinity * cell.factor * cell.responses;
      const citations = Math.floor(mean + unit(cell.key, domainSeed));
      if (citations === 0) continue;
      cited += citations;
      const target = at + firstDomain + 3 * index;
      const isRanked = unit(cell.key, domainSeed + 1) > 0.06;
      cells[target] = citations;
      cells[target + 1] = isRanked ? citations : 0;
      cells[target + 2] = isRanked ? (domains[index]?.rank ?? 1) + (mix(cell.key, domainSeed + 2) % 3) : 0;
    }
    cells[at + CITED] = cited;
  }

  return {
    width,
    firstDomain,
    make(dayNumber, version) {
      const cells = new Uint16Array(prompts.length * models.length * width);
      if (project.gapShare > 0 && unit(own, dayNumber) < project.gapShare) return cells;
      const levels = { brandLevels: brandLevels(dayNumber), domainLevels: domainLevels(dayNumber) };
      const expected = project.responsesPerDay * version.arrived;
      prompts.forEach((prompt, promptIndex) => {
        const isAsked =
          prompt.isActive &&
          Math.floor(prompt.createdAt / DAY_MS) <= dayNumber &&
          (prompt.deletedAt === undefined || Math.floor(prompt.deletedAt / DAY_MS) >= dayNumber);
        if (!isAsked) return;
        const promptSeed = promptSeeds[promptIndex] ?? 0;
        models.forEach((_, modelIndex) => {
          const modelSeed = modelSeeds[modelIndex] ?? 0;
          const key = mix(mix(promptSeed, modelSeed), dayNumber);
          const responses = Math.floor(expected * (0.92 + 0.1 * unit(key, 1)) + unit(key, 2) * 0.99);
          if (responses === 0) return;
          const noise = 0.5 * (unit(modelSeed, dayNumber) - 0.5);
          fill(cells, (promptIndex * models.length + modelIndex) * width, {
            ...levels,
            key,
            responses,
            promptSeed,
            modelSeed,
            factor: version.factor,
            corrections: version.corrections,
            shift: TYPE_SHIFT[prompt.type] + noise,
          });
        });
      });
      return cells;
    },
  };
}

interface CellDay {
  key: number;
  responses: number;
  promptSeed: number;
  modelSeed: number;
  factor: number;
  corrections: number;
  shift: number;
  brandLevels: readonly number[];
  domainLevels: readonly number[];
}
