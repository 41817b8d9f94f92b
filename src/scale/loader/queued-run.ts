import type { LimitFunction } from 'p-limit';
import type { Probe } from '../../believe/probe.ts';
import type { DayRange } from '../../day.ts';
import { AnswerlakeError, messageOf, toRun } from '../../errors.ts';
import { openClients } from '../../extract/clients.ts';
import { seenQuotas } from '../../extract/quota.ts';
import { openWaitBudget } from '../../extract/pace.ts';
import { type Account, reachProjects, type Reached } from '../../extract/reach-projects.ts';
import { Loader } from '../../load/loader.ts';
import { uncovered } from '../../plan/cut.ts';
import { keyLists, type Mention, type SliceJob } from '../../plan/owed.ts';
import type { AskJobs } from '../../run/ask.ts';
import { readQuotas } from '../../run/journal.ts';
import { type Problem, resultOf, type SliceResult, type Step } from '../../run/outcome.ts';
import { readMentions } from '../../run/planning-values.ts';
import { quotasOf } from '../../run/quotas.ts';
import { enterRun, type OpenRun, prepareRun } from '../../run/run-context.ts';
import * as stages from '../../run/stages.ts';
import { runToEnd } from '../../run/run-to-end.ts';
import type { RunReport } from '../../run/run-to-end.ts';
import type { SyncContext, SyncRequest } from '../../run/sync-request.ts';
import { readProbes, writeProbes } from '../../run/taught.ts';
import { flatSlice, sliceKey, sliceWindow, type Slice } from '../../slice.ts';
import { publishChanged } from '../../targets/publish-changed.ts';
import type { Connection } from '../../warehouse/connection.ts';
import { sliceName } from '../landing/part.ts';
import type { Jobs } from '../queue/jobs.ts';
import type { Presence } from '../queue/processes.ts';
import { problemOfRound, type RoundEnd, type RoundJson } from '../queue/round.ts';
import type { Intake } from './intake.ts';
import { openRoundDispatcher, type RoundDispatcher } from './round-dispatcher.ts';

export interface QueuedRunParts {
  context: SyncContext;
  jobs: Jobs;
  presence: Presence;
  intake: Intake;
  connection: Connection;
  /** Writes to the working file one after the other: organizations are served concurrently. */
  limitWrites: LimitFunction;
}

/** One run whose slices are asked for by workers; its steps are those of a run of one process. @throws AnswerlakeError configuration, storage, locked; the signal's reason until the keys are validated */
export async function runThroughWorkers(request: SyncRequest, parts: QueuedRunParts): Promise<RunReport> {
  const { context, presence, intake, connection, limitWrites } = parts;
  const { config, effects, signal } = context;
  const startedAt = effects.now();
  await using clients = openClients({
    context,
    maxWaitMs: request.maxWaitMs,
    initialQuotas: quotasOf(await readQuotas(connection), config.api.baseUrl),
  });
  await presence.show({ detail: () => ({ ...intake.counts(), parked: clients.parked() }) });
  const reached = await reachProjects({ config, clients, wanted: request.projects, signal });
  await presence.show({ detail: () => intake.counts() });
  signal.throwIfAborted();
  const maxWaitMs = Math.max(0, request.maxWaitMs - (effects.now() - startedAt));
  const dispatcher = openRoundDispatcher({ ...context, ...parts, clients });
  const { dispatch, totals, warnings } = dispatcher;
  const asked = { of: clients.of, quotas: clients.quotas, totals, warnings };
  const options = { request, context, connection, clients: asked, reached, startedAt };
  const prepared = await enterRun(await prepareRun(options));
  const probed = await readProbes(connection, prepared.run.run);
  // With a key whose hour is not used up, if there is one.
  const parked = new Set(clients.parked().map(([organization]) => organization));
  const free = reached.accounts.filter((account) => !parked.has(stages.organizationOf(account)));
  const listers = [...free, ...reached.accounts];
  const shared = { dispatch, limitWrites, probed, maxWaitMs, listers };
  const steps = stages.runStages(prepared, (run, ask, planning) =>
    askOrganizations(run, { ...shared, ask }, planning),
  );
  return await runToEnd(prepared.run, steps);
}

type AskOptions = Omit<OrganizationAskerRequest, 'organization' | 'run' | 'onLoaded'> & {
  ask: AskJobs;
  /** The first of them asks for the lists of the run. */
  listers: readonly Account[];
};

/** Runs the stages of all organizations at the same time: one that waits for its quota does not delay the others. */
async function* askOrganizations(run: OpenRun, options: AskOptions, planning: stages.KnownPlanning) {
  const { ask: askHere, listers, ...shared } = options;
  const { connection, clients } = run;
  const { reached, coverage } = planning;
  await stages.pushValidations(run, reached);
  // All organizations are planned from the lists of the run.
  const lists = planning.plans.filter(({ endpoint }) => endpoint.askedPer === 'run');
  const problems = await askHere(keyLists({ plans: lists, coverage }, listers));
  const steps: Step[] = [{ results: await run.queue.drain(), problems }];
  const plans = planning.plans.filter((plan) => !lists.includes(plan));
  const broken = new AbortController();
  const signal = AbortSignal.any([run.signal, broken.signal]);
  const groups = byOrganization(reached);
  const projectIds = reached.projects.map(({ projectId }) => projectId);
  const readAll = (): Promise<Mention[]> => shared.limitWrites(() => readMentions(run, planning, projectIds));
  const mentions = sharedMentions(groups.keys(), readAll);
  const early = earlyPublish(run, shared.limitWrites);
  await Promise.all(
    [...groups].map(async ([organization, own]) => {
      const quotas = new Map([...clients.quotas].filter(([name]) => name === organization));
      const ofOrganization = { ...run, clients: { ...clients, quotas }, signal };
      const ask = organizationAsker({
        ...shared,
        organization,
        run: ofOrganization,
        onLoaded: (results) => void steps.push({ results }),
      });
      const mentionsOf = async (): Promise<Mention[]> => {
        mentions.arrive(organization);
        early.soon();
        return await mentions.read();
      };
      try {
        // Plans on a connection of its own, so that no transaction of another organization is under way there.
        using another = await connection.another();
        for await (const step of stages.askStages({ ...ofOrganization, connection: another }, ask, {
          ...planning,
          plans,
          reached: own,
          mentionsOf,
        }))
          steps.push(step);
        early.soon();
      } catch (error) {
        broken.abort(error);
      } finally {
        mentions.arrive(organization);
      }
    }),
  );
  await early.stop();
  yield* steps;
  broken.signal.throwIfAborted();
}

/** The look-ups of a run share one limit, as in a single process: they are chosen once, when all organizations have loaded the answers that mention them. */
function sharedMentions(organizations: Iterable<string>, read: () => Promise<Mention[]>) {
  const awaited = new Set(organizations);
  let open = (): void => undefined;
  const haveAllArrived = new Promise<void>((resolve) => (open = resolve));
  let mentions: Promise<Mention[]> | null = null;
  return {
    /** The organization has loaded its series, or ends without them. */
    arrive: (organization: string): void => {
      awaited.delete(organization);
      if (awaited.size === 0) open();
    },
    read: (): Promise<Mention[]> => (mentions ??= haveAllArrived.then(read)),
  };
}

/** Publishes organizations that have ended, within `queue.publish_every`, while others are still asked or wait for their hour. */
function earlyPublish(run: OpenRun, limitWrites: LimitFunction) {
  const { config, effects, connection, log } = run;
  const over = new AbortController();
  let isDue = false;
  const publish = async (): Promise<never> => {
    for (;;) {
      await effects.sleep(config.queue.publishEvery, over.signal);
      if (!isDue) continue;
      isDue = false;
      await limitWrites(() => publishChanged(connection, run))
        // The end of the run publishes again and reports the failure.
        .catch((error: unknown) => log.warn('loader.not_published', { reason: messageOf(error) }));
    }
  };
  const publishing = publish().catch(() => undefined);
  return {
    soon: (): void => void (isDue = true),
    stop: async (): Promise<void> => {
      over.abort();
      await publishing;
    },
  };
}

/** The accounts of an organization share its quota, so they stay together. */
function byOrganization(reached: Reached): Map<string, Reached> {
  const ownOf = (name: string): Reached => ({
    ...reached,
    answers: [],
    accounts: reached.accounts.filter((account) => stages.organizationOf(account) === name),
    projects: reached.projects.filter(({ account }) => stages.organizationOf(account) === name),
  });
  return new Map(reached.accounts.map(stages.organizationOf).map((name) => [name, ownOf(name)]));
}

const MAX_SLICES = 2_000;
/** Consecutive rounds without an answer, after which the organization is abandoned for this run. */
const MAX_IDLE_ROUNDS = 3;
/** After it, the hour or the requested wait is over on every clock. */
const RESET_MARGIN_MS = 1_000;

export interface OrganizationAskerRequest {
  organization: string;
  run: OpenRun;
  dispatch: RoundDispatcher['dispatch'];
  limitWrites: LimitFunction;
  /** Verdicts of second requests, from this run or recently. */
  probed: Probe[];
  /** Longest wait for hourly quotas, and for waits that the server requests. */
  maxWaitMs: number;
  onLoaded: (results: readonly SliceResult[]) => void;
}

/** Requests the slices of one organization through workers: they are sent out in rounds, and come back as parts. */
export function organizationAsker(request: OrganizationAskerRequest): AskJobs {
  const { organization, dispatch, limitWrites, probed, maxWaitMs, onLoaded } = request;
  const { connection, run, signal, clients } = request.run;
  /** Accounts that are blocked. */
  const blocked = new Set<string>();
  const waitBudget = openWaitBudget(maxWaitMs);

  const roundOf = (jobs: readonly SliceJob[]): Omit<RoundJson, 'round'> => {
    const accounts = new Map(jobs.map(({ account }) => [account.config.name, account]));
    const projects = new Set(jobs.map(({ planned }) => planned.slice.projectId));
    return {
      run,
      organization,
      accounts: [...accounts].map(([name, { config: _config, ...known }]) => ({ name, ...known })),
      quotas: seenQuotas(clients.quotas),
      maxWaitMs,
      probed: probed.filter(({ projectId }) => projects.has(projectId)),
      slices: jobs.map(({ planned: { slice, wanted, endpoint: _endpoint, ...asked }, account }) => ({
        ...asked,
        slice: flatSlice(slice),
        wanted: [...(wanted ?? [])],
        account: account.config.name,
      })),
    };
  };
  /** Enters failed slices, and verdicts of second requests, which the next rounds do not repeat. */
  const enter = async ({ failed, probes }: RoundEnd): Promise<void> => {
    probed.push(...probes);
    const outcomes = failed.map((one) => ({ ...one, ...problemOfRound(one), kind: 'failed' as const }));
    await limitWrites(async () => {
      await writeProbes(connection, run, probes);
      if (outcomes.length === 0) return;
      onLoaded((await new Loader({ connection, run, archive: null }).load(outcomes)).map(resultOf));
    });
  };
  /** Blocks the accounts that cannot continue; returns how long the others wait for their quota, or because the server asked for it. */
  const judge = ({ at, problems: found }: RoundEnd, problems: Problem[]): number => {
    let afterMs = 0;
    for (const problem of found) {
      const untilMs = problem.waitUntilMs === null ? null : problem.waitUntilMs + RESET_MARGIN_MS;
      // If the hour has ended meanwhile, the next round asks at once.
      if (untilMs !== null && waitBudget.book(at, untilMs)) {
        afterMs = Math.max(afterMs, untilMs - at);
        continue;
      }
      if (problem.account !== null) blocked.add(problem.account);
      problems.push(problemOfRound(problem));
    }
    return afterMs;
  };
  return async (jobs) => {
    const answered = new AnsweredSlices();
    const problems: Problem[] = [];
    let afterMs = 0;
    let idle = 0;
    while (!signal.aborted) {
      const left = jobs.filter(
        ({ planned, account }) => !blocked.has(account.config.name) && !answered.has(planned.slice),
      );
      if (left.length === 0) break;
      const before = answered.size;
      const { end, reason, taken } = await dispatch(roundOf(left.slice(0, MAX_SLICES)), afterMs);
      onLoaded(taken.results);
      problems.push(...taken.damages.map((error) => ({ error })));
      if (end !== null) await enter(end);
      for (const slice of taken.answered) answered.add(slice);
      for (const { slice } of end?.failed ?? []) answered.add(slice);
      afterMs = end === null ? 0 : judge(end, problems);
      idle = answered.size > before || afterMs > 0 ? 0 : idle + 1;
      if ((idle < MAX_IDLE_ROUNDS && reason === null) || idle === 0) continue;
      problems.push({ error: givenUp(organization, reason) });
      for (const { account } of jobs) blocked.add(account.config.name);
    }
    return problems;
  };
}

function givenUp(organization: string, reason: string | null): AnswerlakeError {
  const why = reason ?? `${String(MAX_IDLE_ROUNDS)} rounds in a row brought nothing`;
  const what = `organization ${organization}: its workers bring nothing (${why});`;
  const todo =
    reason === null
      ? 'see their logs, then run again'
      : toRun`fix that, then run ${'answerlake queue retry'}`;
  return new AnswerlakeError([what, todo], { class: 'transient' });
}

/** The slices that have been answered, completely or in pieces. */
class AnsweredSlices {
  readonly #names = new Set<string>();
  /** Slices that differ only in their days → answered days; empty for a slice without days. */
  readonly #bySeries = new Map<string, DayRange[]>();

  get size(): number {
    return this.#names.size;
  }

  add(slice: Slice): void {
    this.#names.add(sliceName(slice));
    const answered = this.#bySeries.get(sliceKey(slice)) ?? [];
    const window = sliceWindow(slice);
    if (window !== null) answered.push(window);
    this.#bySeries.set(sliceKey(slice), answered);
  }

  /** True if the slice was answered, or pieces that cover all of its days. */
  has(slice: Slice): boolean {
    const answered = this.#bySeries.get(sliceKey(slice));
    const window = sliceWindow(slice);
    if (answered === undefined || window === null) return answered !== undefined;
    return uncovered(window, answered).length === 0;
  }
}
