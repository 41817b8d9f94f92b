import type { ServerResponse } from 'node:http';
import { dayFromNumber, dayNumber, type Day, type DayRange } from '../src/day.ts';
import { answerRequest, wholeList, type AnswerRequest } from './answer.ts';
import { writeFault } from './fault-writer.ts';
import type { FaultRule } from './faults.ts';
import type { SimulatorOptions } from './options.ts';
import { createOverrides, type OverrideHandler, type OverrideTarget } from './overrides.ts';
import type { QueryPairs } from './parameters.ts';
import { createQuota } from './quota.ts';
import { Refusal, type Answer } from './refusal.ts';
import type { RequestRecord } from './request-record.ts';
import type { ListEntry } from './route.ts';
import { openServer, writeAnswer, type Incoming } from './server.ts';
import { createState } from './state.ts';
import type { World } from './world.ts';

export type QueryRecord = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface RestateOptions {
  /** Project id. */
  project: string;
  /** The path after the version (`visibility-time-series`); all endpoints when left out. */
  endpoint?: string;
  days: Day | readonly Day[] | DayRange;
  /** 0.1 for ten percent more, -0.1 for ten percent less. */
  by: number;
}

/** A running simulator of the API on 127.0.0.1. */
export interface Simulator extends AsyncDisposable {
  /** The origin, without a path. */
  readonly url: string;
  readonly port: number;
  /** Every request since the start or the last reset, in order of arrival. */
  readonly requests: readonly RequestRecord[];
  readonly world: World;
  readonly today: Day;
  resetRequests(): void;
  /** The correct answer to a GET, including overrides: no HTTP, no quota, no faults, no record. */
  answer(
    path: string,
    query?: QueryPairs | QueryRecord,
    who?: { apiKey?: string | undefined; projectId?: string | undefined },
  ): Answer;
  setToday(day: Day): void;
  setFaults(rule: FaultRule | undefined): void;
  /** Uses up requests of the running hour, as another client of the organization would. */
  spendQuota(requests: number): void;
  /** Changes the figures of past days. */
  restate(options: RestateOptions): void;
  /** The whole list at a path, whatever pages it is served in. */
  listed(path: string, project: string, query?: QueryRecord): readonly ListEntry[];
  /** Hides answers with these ids from the list of responses, and shows them again. */
  setHidden(ids: readonly string[], isHidden: boolean): void;
  /** What each completed action up to today adds to visibility, by `project day title`. */
  planted(): Map<string, 'large' | 'small' | 'nothing'>;
  /** Removes the prompt from the list and the look-up; events report it as deleted today. */
  removePrompt(projectId: string, promptId: string): void;
  /** Replaces the answer; `undefined` removes the override of that target. */
  override(
    target: OverrideTarget,
    answer: OverrideHandler | object | string | number | null | undefined,
  ): void;
  /** Closes open connections at once. */
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** Log-odds from which on an action shows in the figures. */
const LARGE_LIFT = 0.3;

function toPairs(query: QueryPairs | QueryRecord): QueryPairs {
  if (Array.isArray(query)) return query as QueryPairs;
  return Object.entries(query as QueryRecord).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly string[]) : [String(value)]).map(
      (one) => [name, one] as const,
    ),
  );
}

function toDays(days: RestateOptions['days']): Set<number> {
  if (typeof days === 'string') return new Set([dayNumber(days)]);
  if (!('start' in days)) return new Set(days.map(dayNumber));
  const start = dayNumber(days.start);
  return new Set(Array.from({ length: dayNumber(days.end) - start + 1 }, (_, index) => start + index));
}

function parseBody(incoming: Incoming): unknown {
  const isJson = /^application\/json\b/i.test(incoming.headers['content-type'] ?? '');
  if (incoming.body === '') {
    if (!isJson) return undefined;
    const message = "Body cannot be empty when content-type is set to 'application/json'";
    const code = 'FST_ERR_CTP_EMPTY_JSON_BODY';
    throw new Refusal(400, { statusCode: 400, code, error: 'Bad Request', message });
  }
  const error = 'Unsupported Media Type';
  if (!isJson) throw new Refusal(415, { error, message: 'Send application/json.', details: {} });
  try {
    return JSON.parse(incoming.body) as unknown;
  } catch {
    throw new Refusal(400, { error: 'Bad Request', message: 'Body is not valid JSON', details: {} });
  }
}

/** Starts the simulator; the caller closes it. @throws RangeError when `today` is before the first day */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const state = createState(options);
  const quota = createQuota(options.quota ?? {}, () => state.now());
  const overrides = createOverrides();
  const requests: RequestRecord[] = [];
  let faults = options.faults;
  let ordinal = 0;

  function decide(incoming: Incoming, record: RequestRecord): Answer {
    try {
      record.body = parseBody(incoming);
      const isKnown = state.keys.some((one) => one.key === record.apiKey);
      const headers = isKnown ? quota.countOrganization() : {};
      const request: AnswerRequest = { ...record };
      const answer = overrides.apply(request, answerRequest(state, request));
      return { ...answer, headers: { ...headers, ...answer.headers } };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, headers: error.headers, body: error.body };
    }
  }

  async function handle(incoming: Incoming, response: ServerResponse): Promise<void> {
    const record: RequestRecord = {
      ordinal,
      method: incoming.method,
      path: incoming.path,
      query: incoming.query,
      apiKey: incoming.headers['x-api-key']?.toString(),
      projectId: incoming.headers['x-project-id']?.toString(),
      contentType: incoming.headers['content-type'],
      body: undefined,
      status: 0,
      at: state.now(),
    };
    ordinal += 1;
    requests.push(record);
    const serverTime = options.serverTime === undefined ? state.now() : options.serverTime();
    if (serverTime === null) response.sendDate = false;
    else response.setHeader('date', new Date(serverTime).toUTCString());
    const answer = decide(incoming, record);
    if (options.latencyMs !== undefined)
      await new Promise((resolve) => setTimeout(resolve, options.latencyMs));
    const fault = answer.status === 429 ? undefined : faults?.(record, record.ordinal);
    if (fault !== undefined) {
      record.status = writeFault(response, fault, answer);
      return;
    }
    record.status = answer.status;
    writeAnswer(incoming, response, answer);
  }

  const server = await openServer(options.port ?? 0, handle);
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    requests,
    world: state.world,
    get today() {
      return dayFromNumber(state.today);
    },
    resetRequests() {
      requests.length = 0;
      ordinal = 0;
    },
    answer(path, query = [], who = {}) {
      const request: AnswerRequest = {
        method: 'GET',
        path,
        query: toPairs(query),
        apiKey: who.apiKey,
        projectId: who.projectId,
        body: undefined,
      };
      return overrides.apply(request, answerRequest(state, request));
    },
    setToday(day) {
      state.today = dayNumber(day);
    },
    setFaults(rule) {
      faults = rule;
    },
    spendQuota: (count) => quota.spend(count),
    restate({ project, endpoint, days, by }) {
      state.restatements.push({ projectId: project, endpoint, days: toDays(days), factor: 1 + by });
    },
    listed: (path, projectId, query = {}) => wholeList(state, { path, projectId, query: toPairs(query) }),
    setHidden(ids, isHidden) {
      for (const id of ids)
        if (isHidden) state.hidden.add(id);
        else state.hidden.delete(id);
    },
    planted() {
      const planted = new Map<string, 'large' | 'small' | 'nothing'>();
      for (const project of state.world.projects)
        for (let day = state.firstDay; day <= state.today; day += 1)
          for (const { title, lift } of state.facts(project).actions.on(day)) {
            const size = lift >= LARGE_LIFT ? 'large' : lift > 0 ? 'small' : 'nothing';
            planted.set(`${project.name} ${dayFromNumber(day)} ${title}`, size);
          }
      return planted;
    },
    removePrompt(projectId, promptId) {
      const prompt = state.world.projects
        .find(({ id }) => id === projectId)
        ?.prompts.find(({ id }) => id === promptId);
      if (prompt === undefined) throw new RangeError(`no prompt ${promptId} in project ${projectId}`);
      prompt.deletedAt = state.today * DAY_MS + DAY_MS / 3;
      prompt.lookup = false;
    },
    override: (target, answer) => overrides.set(target, answer),
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
