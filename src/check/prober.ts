import { randomUUID } from 'node:crypto';
import { areSame, confirms, placedRows, type PlacedRows } from '../believe/placed-rows.ts';
import { readAnswer } from '../believe/read-answer.ts';
import type { Question } from '../believe/suspicion.ts';
import type { ProbeFinding } from '../believe/probe.ts';
import { lastOf } from '../believe/terms.ts';
import type { Config } from '../config/config.ts';
import { addDays, isDay, type Day } from '../day.ts';
import { AnswerlakeError } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import type { ApiClient } from '../extract/client.ts';
import type { Clients } from '../extract/clients.ts';
import { fetchSlice, requestOf, type PlannedRequest } from '../extract/fetch-slice.ts';
import type { Account } from '../extract/reach-projects.ts';
import type { Log } from '../log.ts';
import { describeSlice, seriesSlice, sliceGrain, type ArchivedAnswer, type Slice } from '../slice.ts';
import { varied, type Variation } from './variation.ts';

/** Statuses that refuse a request, or a project that does not exist. */
const REFUSING: ReadonlySet<number | null> = new Set([400, 401, 403, 404, 422]);
/** No answer contains days that far ahead. */
const DAYS_AHEAD = 2;

export interface ProberOptions {
  config: Config;
  log: Log;
  signal: AbortSignal;
  clients: { of: Clients['of'] };
  accounts: readonly Account[];
}

/** A suspicious answer. */
type Doubt = Question<{ answer: ArchivedAnswer }>;

/** Sends a second request about an answer. It uses the run's client, but closes no path and changes no limit. */
export class Prober {
  readonly #options: ProberOptions;
  /** Endpoint and account → whether a nonexistent project gets the answer of an existing one; account → a list that distinguishes projects. */
  readonly #known = new Map<string, Promise<boolean>>();

  constructor(options: ProberOptions) {
    this.#options = options;
  }

  /** @throws the signal's reason, or what stopped the client */
  async ask(question: Doubt): Promise<ProbeFinding> {
    const { log, signal } = this.#options;
    const { slice, suspected } = question;
    const facts = { endpoint: slice.endpoint, project: slice.projectId, suspected };
    try {
      const finding = (await this.#isIgnored(question)) ? 'ignored' : 'good';
      log.info('answer.questioned', { ...facts, finding });
      return finding;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AnswerlakeError) || error.class === 'stopped') throw error;
      log.warn('answer.questioned', { ...facts, finding: 'none', error: error.message });
      return new AnswerlakeError(
        `${describeSlice(slice)}: not stored yet, because a second request to check it was not answered: ${error.message}`,
        { class: 'transient', scope: 'slice', cause: error },
      );
    }
  }

  async #isIgnored(question: Doubt): Promise<boolean> {
    const { slice, suspected, placed } = question;
    switch (suspected) {
      case 'filter': {
        const unknown = slice.scope === 'page' ? `/${randomUUID()}` : randomUUID();
        return areSame(await this.#see(question, { filter: [slice.scope, unknown] }), placed);
      }
      case 'project':
        return (await this.#isAnyProject(question)) || (await this.#isMixedUp(question));
      case 'window': {
        if (slice.kind !== 'window') return false;
        const day = addDays(question.item.answer.syncDay, DAYS_AHEAD);
        return areSame(await this.#see(question, { window: { start: day, end: day } }), placed);
      }
      case 'steps': {
        const [first] = placed.days;
        if (first === undefined) throw new RangeError('a series in steps has days');
        // A day without a row between two that have one.
        const seen = await this.#see(question, periodOf(slice, addDays(first, 1)));
        return seen !== null && seen.days.length > 0;
      }
      case 'zone':
        return await this.#isShifted(question);
      default:
        return suspected satisfies never;
    }
  }

  /** Whether its date-times are not UTC days. */
  async #isShifted(question: Doubt): Promise<boolean> {
    const { slice, placed } = question;
    const { shiftedDay } = placed;
    if (shiftedDay === null || slice.kind !== 'series') throw new RangeError('shifted days are of a series');
    // The overlap of a seam would answer in place of the day.
    const { api, sync } = this.#options.config;
    const isExact = (sync.endpoints[slice.endpoint]?.endDate ?? api.endDate) === 'inclusive';
    if (slice.grain === 'day') {
      // Requested alone, the day of a local midnight has another row, or one outside the request.
      const seen = await this.#see(question, { window: { start: shiftedDay, end: shiftedDay }, isExact });
      return seen === null || !confirms(seen, placed);
    }
    // A week of another weekday reaches into one of UTC, which answers too: its days are told apart.
    const lastDay = addDays(question.item.answer.syncDay, -1);
    const lastOfWeek = addDays(shiftedDay, 6);
    const week = { start: shiftedDay, end: lastOfWeek < lastDay ? lastOfWeek : lastDay };
    const seen = await this.#see(question, { grain: 'day', window: week, isExact });
    if (seen === null) return true;
    const days = seriesSlice(slice, 'day', week);
    return seen.shiftedDay !== null && (await this.#isShifted({ ...question, slice: days, placed: seen }));
  }

  /** Whether requests of an account's key name the project. */
  #namesProject(account: string): boolean {
    const { accounts } = this.#options;
    return accounts.some(({ config, isOrganizationKey }) => isOrganizationKey && config.name === account);
  }

  /** The header is ignored: a nonexistent project gets the same answer. Project keys send none. */
  async #isAnyProject(question: Doubt): Promise<boolean> {
    const { slice, item, placed } = question;
    const { account } = item.answer;
    if (!this.#namesProject(account)) return false;
    const isAny = await this.#once(JSON.stringify([slice.endpoint, account]), async () =>
      areSame(await this.#see(question, { request: { projectHeader: randomUUID() } }), placed),
    );
    return isAny && !(await this.#isAnyList(question));
  }

  /** A server that answers nonexistent projects and yet obeys the header: such an answer proves nothing. */
  async #isAnyList(question: Doubt): Promise<boolean> {
    const { listApart, item } = question;
    if (listApart === null) return false;
    const { account } = item.answer;
    const { endpoint, slice } = listApart;
    const request = { endpoint, slice, asked: null, limit: null, projectHeader: randomUUID() };
    const seen = () => this.#see(question, { request });
    return await this.#once(account, async () => ((await seen())?.rows.count ?? 0) > 0);
  }

  async #once(key: string, ask: () => Promise<boolean>): Promise<boolean> {
    const asked = this.#known.get(key) ?? ask();
    this.#known.set(key, asked);
    return await asked;
  }

  /** A cache has the answer of another project: the same request at another address gets a different one. */
  async #isMixedUp(question: Doubt): Promise<boolean> {
    const { slice, placed } = question;
    const seen = await this.#see(question, elsewhere(question));
    if (seen === null) return false;
    return slice.kind === 'window' ? !areSame(seen, placed) : !confirms(seen, placed);
  }

  /** The server's answer to the request with `changes`; null if it refuses it. */
  async #see(
    { endpoint, slice, item: { answer } }: Doubt,
    { isTurned = false, request = {}, ...variation }: Asked,
  ): Promise<PlacedRows | null> {
    const { clients, config, signal } = this.#options;
    const client = clients.of(answer.account);
    const planned = {
      endpoint,
      ...varied(slice, variation, answer),
      limit: answer.limit,
      startedAt: answer.startedAt,
      projectHeader: this.#namesProject(answer.account) ? (slice.projectId ?? undefined) : undefined,
      signal,
      ...request,
    };
    try {
      const fetched = await fetchSlice(isTurned ? turned(client) : client, requestOf(config, planned));
      const seen: ArchivedAnswer = { ...answer, ...planned, startedAt: answer.startedAt, ...fetched };
      return placedRows(planned.endpoint, seen, readAnswer(planned.endpoint, seen));
    } catch (error) {
      const isRefused = error instanceof ApiError && REFUSING.has(error.status);
      // Rows of other days, or a body of another shape: not the same answer.
      const isOther =
        error instanceof AnswerlakeError && !(error instanceof ApiError) && error.class === 'contract';
      if (isRefused || isOther) return null;
      throw error;
    }
  }
}

type Asked = Variation & {
  /** Sends the parameters in the opposite order. */
  isTurned?: boolean;
  /** Replaces parameters of the request. */
  request?: Partial<PlannedRequest>;
};

function turned(client: ApiClient): Pick<ApiClient, 'get'> {
  return { get: (request) => client.get({ ...request, query: request.query.toReversed() }) };
}

/** The same request at another address. */
function elsewhere({ endpoint: { paging }, slice, placed }: Doubt): Asked {
  const last = placed.rows.columns.get('date')?.at(-1);
  if (slice.kind === 'series' && typeof last === 'string' && isDay(last)) return periodOf(slice, last);
  return paging.kind === 'number' ? { request: { pageSize: paging.size - 1 } } : { isTurned: true };
}

/** One period of a series. */
function periodOf(slice: Slice, day: Day): Variation {
  const end = lastOf(day, sliceGrain(slice) ?? 'day');
  return { window: { start: day, end: isDay(end) ? end : day } };
}
