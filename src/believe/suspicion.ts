import { dayNumber, overlap } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { TableRows } from '../endpoints/table-rows.ts';
import type { AnswerlakeError } from '../errors.ts';
import { seriesKey, sliceGrain, sliceWindow, type Ignored, type Slice } from '../slice.ts';
import { areEqual, areTelling, gistOf, isOwnList, textsOf, type PlacedRows } from './placed-rows.ts';
import { findingKey, type Probe, type ProbeFinding } from './probe.ts';

/** A question, with its endpoint. */
interface Asked {
  endpoint: Endpoint;
  slice: Slice;
}

/** An answer that is not stored yet. */
export interface Offered<Item> extends Asked {
  item: Item;
  askedWith: string | undefined;
  placed: PlacedRows;
}

/** An answer that may proceed, with its verdict. */
export interface Judged<Item> {
  item: Item;
  /** `good`: nothing was proven against it; an error: the check failed, so it is not stored now; null: the run stopped before the check. */
  verdict: 'good' | Ignored | AnswerlakeError | null;
}

/** One additional request, because an answer looks as if its own parameter was ignored. */
export interface Question<Item> extends Offered<Item> {
  suspected: Ignored;
  /** The projects that its verdict covers. */
  projectIds: readonly string[];
  /** A list of one of the projects that differs between the two; null if none is known. */
  listApart: Asked | null;
}

/** The part of an answer that is kept, even after it has proceeded. */
interface Known extends Asked {
  askedWith: string;
  isTelling: boolean;
  gist: string;
  suspected: Set<Ignored>;
  /** Differing answers seen so far: of another project, of another window. */
  apart: Set<Ignored>;
  /** The other project with an equal answer. */
  twin: string | null;
}

interface Filter {
  /** A value whose figures differ from the project's was seen. */
  isCleared: boolean;
  /** Values whose figures equal the project's. */
  equal: Set<string>;
}

/** In the order of the checks. */
const KINDS = ['filter', 'project', 'window', 'steps', 'zone'] as const satisfies readonly Ignored[];
/** A longer answer is compared with its filters' answers by its last rows. */
const MAX_KEPT_ROWS = 100;

/** The names of suspected parameters in `meta.probes`. */
export function parameterOf({ endpoint, slice: { scope } }: Asked, suspected: Ignored): string {
  const names = {
    filter: endpoint.scopes[scope] ?? scope,
    project: 'X-Project-Id',
    window: 'startDate and endDate',
    steps: 'max_window_days',
    zone: 'api.instants',
  };
  return names[suspected];
}

/**
 * Compares the answers of one stage. An answer waits until a different one arrives or the stage ends; whatever still looks as if the
 * server had ignored its parameters is then checked.
 */
export class Suspicions<Item> {
  readonly #projects: number;
  readonly #findings = new Map<string, ProbeFinding>();
  /** What was ignored in an earlier run. */
  readonly #doubted = new Map<string, ProbeFinding>();
  /** Question without its project → answers. */
  readonly #byProject = new Map<string, Known[]>();
  /** Question without its window → answers about whole windows. */
  readonly #byWindow = new Map<string, Known[]>();
  /** Project and days → its unfiltered rows. */
  readonly #whole = new Map<string, PlacedRows[]>();
  readonly #filters = new Map<string, Filter>();
  /** Endpoint of a project → parameters that two of its answers have shown to matter. */
  readonly #apart = new Map<string, Set<Ignored>>();
  /** Endpoint and id → the first answer with it. */
  readonly #owners = new Map<string, Known>();
  /** In order of arrival. */
  readonly #waiting = new Map<Known, Offered<Item>>();

  /** @param options.projects the number of requested projects @param options.probed verdicts of this run and recent good ones */
  constructor({ projects, probed }: { projects: number; probed: readonly Probe[] }) {
    this.#projects = projects;
    for (const probe of probed)
      (probe.isEarlier === true ? this.#doubted : this.#findings).set(findingKey(probe), probe.verdict);
  }

  /** Returns the answers that may proceed now, in order of arrival. */
  offer(offered: Offered<Item>): Judged<Item>[] {
    const { endpoint, slice, askedWith = '', placed } = offered;
    const known: Known = {
      endpoint,
      slice,
      askedWith,
      isTelling: areTelling(placed) || (isOwnList(endpoint) && placed.rows.count > 0),
      gist: gistOf(placed),
      suspected: suspectedAlone(slice, placed),
      apart: new Set(),
      twin: null,
    };
    this.#waiting.set(known, offered);
    if (slice.scope !== 'project') this.#compareFilter(known, placed);
    else {
      if (placed.ids === null) this.#compareProjects(known);
      else this.#compareLists(known, placed.ids);
      if (slice.kind === 'window') this.#compareWindows(known);
      this.#keepWhole(offered);
    }
    return this.#goOn((one) => (one.slice.endpoint === slice.endpoint ? this.#judge(one) : undefined));
  }

  /** The checks to send, now that no further answers arrive to compare with. */
  questions(): Question<Item>[] {
    const questions = new Map<string, Question<Item>>();
    for (const [known, offered] of this.#waiting) {
      for (const suspected of KINDS) {
        // All values of a filter are suspected together, but not all have figures to compare.
        if (!known.suspected.has(suspected) || !this.#isSuspected(known, suspected)) continue;
        if (this.#findingOf(known, suspected) !== undefined) continue;
        const others = suspected === 'project' ? [known.twin] : [];
        const projectIds = [known.slice.projectId, ...others].filter((id) => id !== null).toSorted();
        const key = JSON.stringify([known.slice.endpoint, parameterOf(known, suspected), projectIds]);
        const other = questions.get(key);
        // Of two equal answers, check the later one.
        if (other === undefined || worth(offered, suspected) >= worth(other, suspected))
          questions.set(key, { ...offered, suspected, projectIds, listApart: this.#listApart(projectIds) });
      }
    }
    return [...questions.values()];
  }

  /** Records a verdict and returns the resulting probe. */
  settle(question: Question<Item>, finding: ProbeFinding): Probe[] {
    const { slice, askedWith = '', suspected, projectIds } = question;
    const known = { endpoint: slice.endpoint, parameter: parameterOf(question, suspected), askedWith };
    const all = projectIds.map((projectId) => ({ projectId, ...known }));
    for (const probed of all) {
      const key = findingKey(probed);
      // Of the three projects of two checks, one may be in both.
      if (this.#findings.get(key) !== 'ignored') this.#findings.set(key, finding);
    }
    return typeof finding === 'string' ? all.map((one) => ({ ...one, verdict: finding })) : [];
  }

  /** Everything that waits; if the run is stopped, suspected answers that were not checked have no verdict. */
  release({ isStopped }: { isStopped: boolean }): Judged<Item>[] {
    const isOpen = (known: Known): boolean =>
      KINDS.some((kind) => this.#isSuspected(known, kind) && this.#findingOf(known, kind) === undefined);
    return this.#goOn((known) => this.#judge(known) ?? (isStopped && isOpen(known) ? null : 'good'));
  }

  #goOn(judge: (known: Known) => Judged<Item>['verdict'] | undefined): Judged<Item>[] {
    const gone: Judged<Item>[] = [];
    for (const [known, { item }] of this.#waiting) {
      const verdict = judge(known);
      if (verdict === undefined) continue;
      gone.push({ item, verdict });
      this.#waiting.delete(known);
    }
    return gone;
  }

  /** Undefined while it waits. */
  #judge(known: Known): Judged<Item>['verdict'] | undefined {
    let waits = false;
    for (const kind of KINDS) {
      if (!this.#isVaried(known, kind)) continue;
      const finding = this.#findingOf(known, kind);
      if (finding === 'good') continue;
      const isSuspected = this.#isSuspected(known, kind);
      const isDoubtful = isSuspected || !this.#isToldApart(known, kind);
      if (finding === undefined) waits ||= isDoubtful;
      else if (finding !== 'ignored') {
        if (isSuspected) return finding;
        // The answer to a filter is too short to show what was ignored for its project.
      } else if (isDoubtful || (known.slice.scope !== 'project' && !isOfItself(kind))) return kind;
    }
    return waits ? undefined : 'good';
  }

  #findingOf({ askedWith, ...known }: Known, kind: Ignored, findings = this.#findings) {
    if (findings.size === 0) return undefined;
    const { endpoint, projectId } = known.slice;
    const parameter = parameterOf(known, kind);
    return findings.get(findingKey({ endpoint, projectId: projectId ?? '', parameter, askedWith }));
  }

  /** Whether other answers exist that it is compared with. */
  #isVaried({ endpoint, slice }: Known, kind: Ignored): boolean {
    const hasDays = slice.kind === 'series' || slice.kind === 'window';
    const isComparable = hasDays || endpoint.outputs[0].ownedId !== null || isOwnList(endpoint);
    const varied = {
      filter: slice.scope !== 'project',
      project: this.#projects > 1 && isComparable,
      window: slice.kind === 'window',
      steps: true,
      zone: true,
    };
    return varied[kind];
  }

  #isSuspected({ slice, suspected }: Known, kind: Ignored): boolean {
    if (kind !== 'filter') return suspected.has(kind);
    const { isCleared, equal } = this.#filterOf(slice);
    return !isCleared && equal.size > 1;
  }

  #isToldApart({ slice, apart }: Known, kind: Ignored): boolean {
    if (isOfItself(kind)) return true;
    if (kind === 'filter') return this.#filterOf(slice).isCleared;
    if (slice.scope === 'project') return apart.has(kind);
    return this.#apart.get(projectKey(slice))?.has(kind) === true;
  }

  #tellApart(kind: Ignored, one: Known, other: Known): void {
    for (const { slice, apart } of [one, other]) {
      apart.add(kind);
      const shown = this.#apart.get(projectKey(slice)) ?? new Set();
      this.#apart.set(projectKey(slice), shown.add(kind));
    }
  }

  #compareProjects(known: Known): void {
    for (const other of addTo(this.#byProject, questionKey(known.slice), known)) {
      if (other.slice.projectId === known.slice.projectId) continue;
      if (!this.#isAlike(known, other)) this.#tellApart('project', known, other);
      else if (known.isTelling) suspectTwins(known, other);
    }
  }

  /** Two projects have no prompt or action in common. */
  #compareLists(known: Known, ids: readonly string[]): void {
    const { endpoint, projectId } = known.slice;
    for (const id of ids) {
      const owner = this.#owners.get(`${endpoint} ${id}`);
      if (owner === undefined) this.#owners.set(`${endpoint} ${id}`, known);
      else if (owner.slice.projectId !== projectId) suspectTwins(known, owner);
    }
    for (const other of addTo(this.#byProject, questionKey(known.slice), known)) {
      if (other.slice.projectId !== projectId && other.gist !== known.gist)
        this.#tellApart('project', known, other);
    }
  }

  #listApart([one, other]: readonly string[]): Question<Item>['listApart'] {
    for (const answers of this.#byProject.values()) {
      const listOf = (projectId?: string): Known | undefined =>
        answers.find(({ slice, suspected }) => {
          return slice.kind === 'list' && slice.projectId === projectId && !suspected.has('project');
        });
      const [mine, theirs] = [listOf(one), listOf(other)];
      if (mine !== undefined && theirs !== undefined && mine.gist !== theirs.gist) return mine;
    }
    return null;
  }

  #compareWindows(known: Known): void {
    const doubted = this.#findingOf(known, 'window', this.#doubted);
    if (known.isTelling && doubted !== undefined) known.suspected.add('window');
    const series = seriesKey({ ...known.slice, grain: sliceGrain(known.slice) });
    for (const other of addTo(this.#byWindow, series, known)) {
      if (overlap(sliceWindow(known.slice), sliceWindow(other.slice))) continue;
      if (!this.#isAlike(known, other)) this.#tellApart('window', known, other);
      else if (known.isTelling) for (const { suspected } of [known, other]) suspected.add('window');
    }
  }

  /** An answer that has proceeded is compared by the part that is kept. */
  #isAlike(one: Known, other: Known): boolean {
    if (one.gist !== other.gist) return false;
    const [own, theirs] = [this.#waiting.get(one), this.#waiting.get(other)];
    return own === undefined || theirs === undefined || areEqual(textsOf(own.placed), textsOf(theirs.placed));
  }

  #keepWhole({ endpoint, slice, placed }: Offered<Item>): void {
    if (Object.keys(endpoint.scopes).length < 2) return;
    addTo(this.#whole, wholeKey(slice), { ...placed, rows: lastRows(placed.rows) });
    for (const [known, held] of this.#waiting) {
      if (known.slice.scope !== 'project' && wholeKey(known.slice) === wholeKey(slice))
        this.#compareFilter(known, held.placed);
    }
  }

  #compareFilter({ slice, suspected }: Known, placed: PlacedRows): void {
    const filter = this.#filterOf(slice);
    if (filter.isCleared) return;
    const kept = this.#whole.get(wholeKey(slice)) ?? [];
    const wholes = kept.map((whole) => ({ ...whole, rows: rowsIn(slice, whole.rows) }));
    const texts = wholes.flatMap(textsOf);
    if (texts.length === 0) return;
    const days = new Set(wholes.flatMap(({ rows }) => rows.columns.get('date') ?? []));
    const own = { ...placed, rows: placed.rows.where('date', (date) => days.has(date)) };
    if (!areEqual(textsOf(own), texts)) filter.isCleared = true;
    else if (areTelling(own)) {
      suspected.add('filter');
      filter.equal.add(slice.scopeId);
    }
  }

  #filterOf({ endpoint, projectId, scope }: Slice): Filter {
    const key = JSON.stringify([endpoint, projectId, scope]);
    const filter = this.#filters.get(key) ?? { isCleared: false, equal: new Set() };
    this.#filters.set(key, filter);
    return filter;
  }
}

/** Which of two suspected answers is the better one to check. */
function worth({ slice, placed }: Offered<unknown>, suspected: Ignored): number {
  const isPreferred = sliceGrain(slice) === 'day' && (!isOfItself(suspected) || slice.scope === 'project');
  return (isPreferred ? Number.MAX_SAFE_INTEGER / 2 : 0) + placed.rows.count;
}

function suspectTwins(one: Known, other: Known): void {
  one.twin = other.slice.projectId;
  other.twin ??= one.slice.projectId;
  for (const { suspected } of [one, other]) suspected.add('project');
}

/** Whether one answer shows it, without another one to compare with. */
function isOfItself(kind: Ignored): boolean {
  return kind === 'steps' || kind === 'zone';
}

function suspectedAlone(slice: Slice, placed: PlacedRows): Set<Ignored> {
  const alone: Ignored[] = isInSteps(slice, placed) ? ['steps'] : [];
  return new Set(placed.shiftedDay === null ? alone : [...alone, 'zone']);
}

/** Three days or more, no two of them adjacent. */
function isInSteps(slice: Slice, { days }: PlacedRows): boolean {
  if (sliceGrain(slice) !== 'day' || days.length < 3) return false;
  return days.every((day, index) => index === 0 || dayNumber(day) - dayNumber(days[index - 1] ?? day) > 1);
}

/** The last rows, up to `MAX_KEPT_ROWS` days, at least the last day; an answer may have its rows by name instead of by day. */
function lastRows(rows: TableRows): TableRows {
  const days = (rows.columns.get('date') ?? []).map(String).toSorted();
  const [last = '', cut = ''] = [days.at(-1), days.at(-1 - MAX_KEPT_ROWS)];
  return cut === '' ? rows : rows.where('date', (date) => String(date) > cut || date === last);
}

/** The rows of the slice's days. */
function rowsIn(slice: Slice, rows: TableRows): TableRows {
  if (slice.kind !== 'series') return rows;
  const { start, end } = slice.window;
  return rows.where('date', (date) => typeof date === 'string' && date >= start && date <= end);
}

/** Adds to a list and returns its earlier content. */
function addTo<Entry>(lists: Map<string, Entry[]>, key: string, entry: Entry): readonly Entry[] {
  const before = lists.get(key) ?? [];
  lists.set(key, [...before, entry]);
  return before;
}

/** Equal for answers to the same question about two projects. */
function questionKey(slice: Slice): string {
  const kind = slice.kind === 'window' ? slice.windowKind : sliceGrain(slice);
  return JSON.stringify([slice.endpoint, kind, sliceWindow(slice)]);
}

/** Equal for all answers of an endpoint about one project. */
function projectKey({ endpoint, projectId }: Slice): string {
  return JSON.stringify([endpoint, projectId]);
}

/** Equal for an answer about a project and all its filtered ones. */
function wholeKey(slice: Slice): string {
  const window = slice.kind === 'window' ? [slice.windowKind, slice.window] : null;
  return JSON.stringify([slice.endpoint, slice.projectId, sliceGrain(slice), window]);
}
