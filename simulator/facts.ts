import { createActionHistory, type ActionHistory } from './actions.ts';
import * as cell from './cells.ts';
import { known } from './known.ts';
import { addRank, addTotals, emptyTotals, type Totals } from './totals.ts';
import type { WorldProject } from './world.ts';

/** Which answers count; a field that is not set filters nothing. */
export interface Filter {
  models?: readonly string[] | undefined;
  monitorId?: string | undefined;
  promptId?: string | undefined;
  promptTypes?: readonly string[] | undefined;
}

/** The daily facts of one project; every answer of the simulator is computed from them. */
export interface Facts {
  actions: ActionHistory;
  /** The totals of one day under the filter; the caller must not change them. */
  totals(dayNumber: number, filter: Filter, version: cell.DayVersion): Totals;
  /** Answers of every prompt (by index) from the first day up to the day before this one, and the sum of your brand's scores in them. */
  runningTotals(dayNumber: number): RunningTotals;
  /** Every cell of the day with answers that passes the filter. */
  eachCell(
    day: { number: number; filter: Filter; version: cell.DayVersion },
    visit: (of: CellOfDay) => void,
  ): void;
  /** Sets the marks of the prompts (by index) whose answers of the day cite one of the domains (by index). */
  markCited(marks: Uint8Array, dayNumber: number, view: CitedView): void;
}

/** The answers of one prompt by one model on one day; brands and domains by index. */
export interface CellOfDay {
  prompt: number;
  model: number;
  responses: number;
  positive: number;
  negative: number;
  neutral: number;
  /** Answers that name the brand, and the sum of its visibility scores in them. */
  brand(index: number): { mentions: number; scores: number };
  /** `ranked`: 0 where the citations have no rank. */
  domain(index: number): { citations: number; ranked: number; rank: number };
}

interface RunningTotals {
  responses: Float64Array;
  scores: Float64Array;
}

interface CitedView {
  filter: Filter;
  version: cell.DayVersion;
  domains: readonly number[];
}

/** A whole day without corrections. */
export const COMPLETE: cell.DayVersion = { arrived: 1, factor: 1, corrections: 0 };

const MAX_CELL_BYTES = 96 * 1024 * 1024;

const FILTER_KEYS = new WeakMap<Filter, string>();

/** The filter as text; a request passes the same one for each of its days. */
function keyOf(filter: Filter): string {
  return known(FILTER_KEYS, filter, () => JSON.stringify(filter));
}

/** What the facts of a day depend on in addition to the day. */
export function viewKey(filter: Filter, { arrived, factor, corrections }: cell.DayVersion): string {
  return `${arrived}|${factor}|${corrections}|${keyOf(filter)}`;
}

export function createFacts(project: WorldProject, seed: number, firstDay: number): Facts {
  const actions = createActionHistory(project, seed, firstDay);
  const maker = cell.createCellMaker(project, seed, actions);
  const cellDays = new Map<string, cell.Cells>();
  const totalDays = new Map<string, Map<number, Totals>>();
  const citedDays = new Map<string, Uint16Array>();
  const cellLists = new Map<string, readonly number[]>();
  const nothing = emptyTotals(project.brands.length, project.domains.length);
  let cellBytes = 0;

  function cellsOf(dayNumber: number, version: cell.DayVersion): cell.Cells {
    const key = `${dayNumber}|${version.arrived}|${version.factor}|${version.corrections}`;
    return known(cellDays, key, () => {
      const cells = maker.make(dayNumber, version);
      cellBytes += cells.byteLength;
      if (cellBytes > MAX_CELL_BYTES) {
        cellDays.clear();
        cellBytes = cells.byteLength;
      }
      return cells;
    });
  }

  function cellsIn(filter: Filter): readonly number[] {
    const { promptId, monitorId, promptTypes, models } = filter;
    return known(cellLists, keyOf(filter), () =>
      project.prompts.flatMap((prompt, promptIndex) => {
        const isAsked =
          (promptId === undefined || prompt.id === promptId) &&
          (monitorId === undefined || project.monitors[prompt.monitor]?.id === monitorId) &&
          (promptTypes === undefined || promptTypes.includes(prompt.type));
        return project.models.flatMap((model, modelIndex) =>
          isAsked && (models === undefined || models.includes(model.id))
            ? [promptIndex * project.models.length + modelIndex]
            : [],
        );
      }),
    );
  }

  function addCell(into: Totals, cells: cell.Cells, index: number): void {
    const at = index * maker.width;
    const responses = cells[at + cell.RESPONSES] ?? 0;
    if (responses === 0) return;
    into.responses += responses;
    if (project.prompts[Math.floor(index / project.models.length)]?.type === 'ORGANIC') {
      into.organicResponses += responses;
      into.organicMentions += cells[at + cell.FIRST_BRAND] ?? 0;
    }
    into.positive += cells[at + cell.POSITIVE] ?? 0;
    into.negative += cells[at + cell.NEGATIVE] ?? 0;
    into.neutral += cells[at + cell.NEUTRAL] ?? 0;
    into.unknown += cells[at + cell.UNKNOWN] ?? 0;
    for (let brand = 0; brand < project.brands.length; brand += 1) {
      into.mentions[brand] = (into.mentions[brand] ?? 0) + (cells[at + cell.FIRST_BRAND + 2 * brand] ?? 0);
      into.scores[brand] = (into.scores[brand] ?? 0) + (cells[at + cell.FIRST_BRAND + 2 * brand + 1] ?? 0);
    }
    for (let domain = 0; domain < project.domains.length; domain += 1) {
      const source = at + maker.firstDomain + 3 * domain;
      const ranked = cells[source + 1] ?? 0;
      const rank = cells[source + 2] ?? 0;
      into.citations[domain] = (into.citations[domain] ?? 0) + (cells[source] ?? 0);
      into.ranked[domain] = (into.ranked[domain] ?? 0) + ranked;
      into.rankSums[domain] = (into.rankSums[domain] ?? 0) + ranked * rank;
      if (ranked > 0) addRank(into, rank, rank);
    }
  }

  function totals(dayNumber: number, filter: Filter, version: cell.DayVersion): Totals {
    if (dayNumber < firstDay) return nothing;
    const key = viewKey(filter, version);
    const days = totalDays.get(key) ?? new Map<number, Totals>();
    const before = days.get(dayNumber);
    if (before !== undefined) return before;
    const sum = emptyTotals(project.brands.length, project.domains.length);
    if (filter.models === undefined && filter.promptId === undefined) {
      // Each answer belongs to one model, so one pass over the cells serves every model and the project.
      for (const { id } of project.models)
        addTotals(sum, totals(dayNumber, { ...filter, models: [id] }, version));
    } else {
      const cells = cellsOf(dayNumber, version);
      for (const index of cellsIn(filter)) addCell(sum, cells, index);
    }
    if (filter.promptId === undefined) totalDays.set(key, days.set(dayNumber, sum));
    return sum;
  }

  function citedPrompts(dayNumber: number, { filter, version, domains }: CitedView): Uint16Array {
    const key = `${dayNumber}|${domains.join()}|${viewKey(filter, version)}`;
    return known(citedDays, key, () => {
      const cells = cellsOf(dayNumber, version);
      const isCited = (index: number): boolean => {
        const at = index * maker.width;
        if ((cells[at + cell.CITED] ?? 0) === 0) return false;
        return domains.some((domain) => (cells[at + maker.firstDomain + 3 * domain] ?? 0) > 0);
      };
      const cited = cellsIn(filter).filter(isCited);
      return Uint16Array.from(cited, (index) => Math.floor(index / project.models.length));
    });
  }

  const running = new Map<number, RunningTotals>();
  function runningTotals(dayNumber: number): RunningTotals {
    const done = running.get(dayNumber);
    if (done !== undefined) return done;
    const start = Math.max(firstDay, ...[...running.keys()].filter((day) => day < dayNumber));
    const before = running.get(start);
    const sums = {
      responses: before?.responses.slice() ?? new Float64Array(project.prompts.length),
      scores: before?.scores.slice() ?? new Float64Array(project.prompts.length),
    };
    for (let day = start; day < dayNumber; day += 1) {
      const cells = cellsOf(day, COMPLETE);
      for (let index = 0; index < project.prompts.length * project.models.length; index += 1) {
        const prompt = Math.floor(index / project.models.length);
        const at = index * maker.width;
        sums.responses[prompt] = (sums.responses[prompt] ?? 0) + (cells[at + cell.RESPONSES] ?? 0);
        sums.scores[prompt] = (sums.scores[prompt] ?? 0) + (cells[at + cell.FIRST_BRAND + 1] ?? 0);
      }
    }
    running.set(dayNumber, sums);
    return sums;
  }

  function eachCell(day: Parameters<Facts['eachCell']>[0], visit: (of: CellOfDay) => void): void {
    const { number, filter, version } = day;
    if (number < firstDay) return;
    const cells = cellsOf(number, version);
    for (const index of cellsIn(filter)) {
      const at = index * maker.width;
      const value = (offset: number): number => cells[at + offset] ?? 0;
      if (value(cell.RESPONSES) === 0) continue;
      const ofBrand = (brand: number): number => cell.FIRST_BRAND + 2 * brand;
      const ofDomain = (domain: number): number => maker.firstDomain + 3 * domain;
      visit({
        prompt: Math.floor(index / project.models.length),
        model: index % project.models.length,
        responses: value(cell.RESPONSES),
        positive: value(cell.POSITIVE),
        negative: value(cell.NEGATIVE),
        neutral: value(cell.NEUTRAL),
        brand: (brand) => ({ mentions: value(ofBrand(brand)), scores: value(ofBrand(brand) + 1) }),
        domain: (domain) => ({
          citations: value(ofDomain(domain)),
          ranked: value(ofDomain(domain) + 1),
          rank: value(ofDomain(domain) + 2),
        }),
      });
    }
  }

  return {
    actions,
    totals,
    runningTotals,
    eachCell,
    markCited(marks, dayNumber, view) {
      if (dayNumber < firstDay) return;
      for (const prompt of citedPrompts(dayNumber, view)) marks[prompt] = 1;
    },
  };
}
