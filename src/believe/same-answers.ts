import { overlap } from '../day.ts';
import { endpointNamed } from '../endpoints/catalogue.ts';
import { isCoarse, seriesKey, sliceGrain, sliceWindow, type Slice } from '../slice.ts';
import { areTelling, digestOf, type Figures } from './figures.ts';

/** An answer that is not loaded yet. */
export interface Offered<Item> {
  item: Item;
  slice: Slice;
  figures: Figures;
}

/** Why an answer is not stored. */
export interface Refusal {
  slice: Slice;
  what: string;
  /** What its question varied and the answer did not. */
  ignored: 'filter' | 'window' | 'project';
}

export interface Verdict<Item> {
  /** Answers to store, in the order in which they were offered. */
  released: Item[];
  /** Answers that were held back and are not stored. */
  refused: (Refusal & { item: Item })[];
  /** Slices that were stored earlier in the run and are owed again. */
  withdrawn: Refusal[];
}

interface Held<Item> {
  /** Null once it was released or refused. */
  item: Item | null;
  slice: Slice;
  /** Equal for equal figures. */
  digest: number;
  /** Its figures are equal to those of another answer by more than chance. */
  isTelling: boolean;
  hasIds: boolean;
  /** It equals the answer about its whole project. */
  isEcho: boolean;
  isRefused: boolean;
  /** Another answer with the same question but another project, or another window, differs. */
  differs: Set<'project' | 'window'>;
}

/**
 * Compares the answers of one run: an answer that stays the same when its filter, its window or its project changes shows
 * that the server ignored the question. An answer is held back until another one differs from it, or the step ends.
 */
export class SameAnswers<Item> {
  /** Question without its project → answers. */
  readonly #byProject = new Map<string, Held<Item>[]>();
  /** Question without its window → answers about whole windows. */
  readonly #byWindow = new Map<string, Held<Item>[]>();
  /** Series of a project → the digest of its figures by day. */
  readonly #ofProject = new Map<string, Map<string, number>>();
  /** Filter of a series → answers that equal the project's. */
  readonly #echoes = new Map<string, Held<Item>[]>();
  /** Filters that the server ignores. */
  readonly #ignoredFilters = new Set<string>();
  /** Endpoint of a project → its answers that are refused, though they are too short to prove it themselves. */
  readonly #refusedParts = new Map<string, RefusedParts[]>();
  /** Kind and id → the first answer that has it. */
  readonly #owners = new Map<string, Held<Item>>();
  #held: Held<Item>[] = [];

  offer({ item, slice, figures }: Offered<Item>): Verdict<Item> {
    const held: Held<Item> = {
      item,
      slice,
      digest: digestOf(figures.days),
      isTelling: areTelling(figures.days.values()),
      hasIds: figures.ids.size > 0,
      isEcho: false,
      isRefused: false,
      differs: new Set(),
    };
    const verdict: Verdict<Item> = { released: [], refused: [], withdrawn: [] };
    this.#held.push(held);
    const parts = this.#refusedParts.get(projectKey(slice))?.find(({ isPart }) => isPart(slice));
    if (parts !== undefined) {
      this.#refuse([held], parts.why, verdict);
      return verdict;
    }
    if (held.slice.scope === 'project') {
      this.#compareProjects(held, verdict);
      this.#compareIds(held, figures, verdict);
      if (!held.isRefused) this.#remember(slice, figures);
    } else this.#compareFilter(held, figures, verdict);
    if (held.slice.kind === 'window' && !held.isRefused) this.#compareWindows(held, verdict);
    this.#release(verdict, (one) => !this.#isAwaited(one));
    return verdict;
  }

  /**
   * Takes note that an answer of the endpoint had days that were not asked for. The figure of a day is the same in each window, but a week
   * or a month at the edge of an unknown window is partial: those of the project are refused, now and later in the run.
   */
  ignoreWindows(slice: Slice): Verdict<Item>['refused'] {
    const verdict: Verdict<Item> = { released: [], refused: [], withdrawn: [] };
    const what = 'another answer of the endpoint had days that were not asked for';
    this.#refuseParts(slice, { isPart: isCoarse, why: { what, ignored: 'window' } }, verdict);
    return verdict.refused;
  }

  /** Releases what is held: nothing more comes that it could be compared with in this step. */
  close(): Item[] {
    const verdict: Verdict<Item> = { released: [], refused: [], withdrawn: [] };
    this.#release(verdict, () => true);
    return verdict.released;
  }

  #release(verdict: Verdict<Item>, isDue: (held: Held<Item>) => boolean): void {
    const left: Held<Item>[] = [];
    for (const held of this.#held) {
      if (held.item === null) continue;
      if (isDue(held)) {
        verdict.released.push(held.item);
        held.item = null;
      } else left.push(held);
    }
    this.#held = left;
  }

  /** Whether a later answer may still show that this one is not to be stored. */
  #isAwaited({ slice, isTelling, hasIds, isEcho, differs }: Held<Item>): boolean {
    if (slice.projectId === null) return false;
    if (isEcho || isCoarse(slice)) return true;
    if (slice.scope === 'project' && !differs.has('project') && (isTelling || hasIds)) return true;
    return slice.kind === 'window' && !differs.has('window') && isTelling;
  }

  #compareProjects(held: Held<Item>, verdict: Verdict<Item>): void {
    const { slice } = held;
    const question = questionKey(slice);
    const others = this.#byProject.get(question) ?? [];
    this.#byProject.set(question, [...others, held]);
    for (const other of others) {
      if (other.slice.projectId === slice.projectId) continue;
      if (!isAlike(held, other)) {
        other.differs.add('project');
        held.differs.add('project');
        continue;
      }
      const what = `projects ${String(other.slice.projectId)} and ${String(slice.projectId)} got the same answer`;
      this.#refuse([other, held], { what, ignored: 'project' }, verdict);
    }
  }

  #compareIds(held: Held<Item>, { ids: found }: Figures, verdict: Verdict<Item>): void {
    for (const [kind, ids] of found) {
      for (const id of ids) {
        const key = `${kind} ${id}`;
        const owner = this.#owners.get(key);
        if (owner === undefined) this.#owners.set(key, held);
        else if (owner.slice.projectId !== held.slice.projectId) {
          const what = `${kind} ${id} belongs to project ${String(owner.slice.projectId)} and to project ${String(held.slice.projectId)}`;
          this.#refuse([owner, held], { what, ignored: 'project' }, verdict);
          return;
        }
      }
    }
  }

  #compareWindows(held: Held<Item>, verdict: Verdict<Item>): void {
    const { slice } = held;
    const key = seriesOf(slice);
    const others = this.#byWindow.get(key) ?? [];
    this.#byWindow.set(key, [...others, held]);
    for (const other of others) {
      // Of windows that overlap, those are compared that equal one whose dates were ignored.
      const isIgnored = other.isRefused && held.digest === other.digest;
      if (!isIgnored && overlap(sliceWindow(slice), sliceWindow(other.slice))) continue;
      if (!isAlike(held, other)) {
        other.differs.add('window');
        held.differs.add('window');
        continue;
      }
      const what = 'two windows that share no day got the same answer';
      const alike = others.filter(({ digest }) => digest === held.digest);
      this.#refuse([...alike, held], { what, ignored: 'window' }, verdict);
    }
  }

  #compareFilter(held: Held<Item>, figures: Figures, verdict: Verdict<Item>): void {
    const filter = filterKey(held.slice);
    const what = 'two values of the filter got the same answer as the project without it';
    if (this.#ignoredFilters.has(filter)) {
      this.#refuse([held], { what, ignored: 'filter' }, verdict);
      return;
    }
    const whole = this.#ofProject.get(wholeKey(held.slice));
    const common = [...figures.days].filter(([day]) => whole?.has(day) === true);
    held.isEcho = common.length > 0 && common.every(([day, { digest }]) => whole?.get(day) === digest);
    // An equal one that may be chance waits for one that says more.
    if (!held.isEcho || !areTelling(common.map(([, one]) => one))) return;
    const echoes = [...(this.#echoes.get(filter) ?? []), held];
    this.#echoes.set(filter, echoes);
    if (new Set(echoes.map(({ slice }) => slice.scopeId)).size < 2) return;
    this.#ignoredFilters.add(filter);
    const ofFilter = this.#held.filter(({ slice }) => filterKey(slice) === filter);
    this.#refuse([...new Set([...echoes, ...ofFilter])], { what, ignored: 'filter' }, verdict);
  }

  #remember(slice: Slice, figures: Figures): void {
    if (Object.keys(endpointNamed(slice.endpoint).scopes).length < 2) return;
    const key = wholeKey(slice);
    const known = this.#ofProject.get(key) ?? new Map<string, number>();
    for (const [day, { digest }] of figures.days) known.set(day, digest);
    this.#ofProject.set(key, known);
  }

  #refuse(all: readonly Held<Item>[], why: Omit<Refusal, 'slice'>, verdict: Verdict<Item>): void {
    const { refused, withdrawn } = verdict;
    for (const held of all) {
      if (held.isRefused) continue;
      held.isRefused = true;
      if (held.item === null) withdrawn.push({ ...why, slice: held.slice });
      else refused.push({ ...why, slice: held.slice, item: held.item });
      held.item = null;
      if (why.ignored === 'project') this.#refuseParts(held.slice, { isPart: isShort, why }, verdict);
    }
  }

  /** Refuses parts of what an endpoint says about a project, now and later in the run. */
  #refuseParts(slice: Slice, parts: RefusedParts, verdict: Verdict<Item>): void {
    const key = projectKey(slice);
    const known = this.#refusedParts.get(key) ?? [];
    if (known.some(({ isPart }) => isPart === parts.isPart)) return;
    this.#refusedParts.set(key, [...known, parts]);
    const held = this.#held.filter((one) => projectKey(one.slice) === key && parts.isPart(one.slice));
    this.#refuse(held, parts.why, verdict);
  }
}

interface RefusedParts {
  isPart: (slice: Slice) => boolean;
  why: Omit<Refusal, 'slice'>;
}

/** An answer to a filter, or by week or month: it may be too short to prove anything itself. */
function isShort(slice: Slice): boolean {
  return slice.scope !== 'project' || isCoarse(slice);
}

/** Equal for answers to the same question of two projects. */
function questionKey(slice: Slice): string {
  const { endpoint } = slice;
  const kind = slice.kind === 'window' ? slice.windowKind : sliceGrain(slice);
  return JSON.stringify([endpoint, kind, sliceWindow(slice)]);
}

/** Equal for all answers of an endpoint about one project. */
function projectKey({ endpoint, projectId }: Slice): string {
  return JSON.stringify([endpoint, projectId]);
}

/** Equal for the windows of one series. */
function seriesOf(slice: Slice): string {
  return seriesKey({ ...slice, grain: sliceGrain(slice) });
}

/** Equal for all values of one filter. */
function filterKey(slice: Slice): string {
  return JSON.stringify([slice.endpoint, slice.projectId, slice.scope, sliceGrain(slice)]);
}

/** Equal for an answer about a project and all its filtered ones. */
function wholeKey(slice: Slice): string {
  const window = slice.kind === 'window' ? [slice.windowKind, slice.window] : null;
  return JSON.stringify([slice.endpoint, slice.projectId, sliceGrain(slice), window]);
}

/** Whether two answers have the same figures, and not by chance. */
function isAlike<Item>(one: Held<Item>, other: Held<Item>): boolean {
  return one.isTelling && one.digest === other.digest;
}
