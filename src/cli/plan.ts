import type { Config } from '../config/config.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { events } from '../endpoints/events.ts';
import { promptLookup } from '../endpoints/prompts.ts';
import { enabledEndpoints } from '../plan/selection.ts';
import type { SyncPlan } from '../run/plan-sync.ts';
import type { SyncRequest } from '../run/sync-request.ts';
import { defined, type CommandContext } from './host.ts';
import { switchFlag } from './flags.ts';
import { selectionFlags, syncRequestOf } from './selection-flags.ts';
import { terminalWidth } from './terminal/io.ts';
import { countTable } from './terminal/result-format.ts';
import { amount, counted } from '../text.ts';

const planFlags = selectionFlags.extend({
  offline: switchFlag('send no request: plan from what is stored'),
});

/** `answerlake plan`: what a sync would ask. */
export const define = defined({ flags: planFlags }, async (context, { offline, ...flags }) => {
  const config = context.loadConfig({
    today: flags.today,
    // Nothing is asked, so no key is needed.
    secrets: offline ? 'leave' : 'read',
  });
  const request = await syncRequestOf(flags, config);
  // A plan never waits for the next hour.
  await showPlan({ ...request, maxWaitMs: 0 }, config, { context, isOffline: offline });
});

/** Prints what a run would ask, as a table or as JSON. @throws as `planSync` */
export async function showPlan(
  request: SyncRequest,
  config: Config,
  { context, isOffline }: { context: CommandContext; isOffline: boolean },
): Promise<void> {
  const { planSync } = await import('../run/plan-sync.ts');
  const plan = await planSync(request, await context.runContext(config, 'warn'), isOffline);
  const lookUps = lookUpsToFollow(plan, request, config);
  context.printResult({ ...plan, lookups_at_most: lookUps }, () =>
    [
      ...tablesOf(plan, terminalWidth(context.io.stdout)),
      ...totalOf(plan, lookUps),
      ...quotaOf(plan, config.api.reserveQuota, context.effects.now()),
      ...remarksOf(plan),
    ].join('\n'),
  );
  context.next(['answerlake sync', 'pull all of this, with the same flags']);
}

/** The sum of each project, where there are several, and then its endpoints. */
function tablesOf({ by_project_and_endpoint: planned }: SyncPlan, width: number | undefined): string[] {
  if (planned.length === 0) return [];
  const sums = new Map<string, { name: string; slices: number; requests: number }>();
  for (const { project_id: id, project_name: name, slices, requests } of planned) {
    const sum = sums.get(id) ?? { name: name ?? id, slices: 0, requests: 0 };
    sums.set(id, { ...sum, slices: sum.slices + slices, requests: sum.requests + requests });
  }
  const projects = [...sums.values()].map(({ name, slices, requests }) => [name, slices, requests]);
  const endpoints = planned.map(({ project_id: id, project_name: name, endpoint, slices, requests }) => [
    name ?? id,
    endpoint,
    slices,
    requests,
  ]);
  return [
    ...(sums.size === 1 ? [] : [countTable(['project', 'slices', 'requests'], projects, width)]),
    countTable(['project', 'endpoint', 'slices', 'requests'], endpoints, width),
  ];
}

function totalOf(plan: SyncPlan, lookUps: number): string[] {
  if (plan.projects === 0 && !plan.is_online) return [];
  const listed = plan.by_project_and_endpoint.reduce((sum, { requests }) => sum + requests, 0);
  const rest = plan.requests - listed;
  return [
    `A sync of ${counted(plan.projects, 'project')} on ${plan.sync_day} would send about ${counted(plan.requests, 'request')}.`,
    ...(lookUps > 0
      ? [`Up to ${amount(lookUps)} more look up prompts that events mention and no list has.`]
      : []),
    ...(rest > 0 && listed > 0
      ? [`${amount(rest)} of them ${rest === 1 ? 'is' : 'are'} for keys and lists.`]
      : []),
  ];
}

function quotaOf({ quota, hours }: SyncPlan, reserve: number, now: number): string[] {
  if (quota === null || hours === null) return ['The hourly quota is not known yet, so neither is the time.'];
  const kept = reserve === 0 ? '' : `, ${Math.round(reserve * 100)} % kept for others`;
  const time = hours <= 1 ? 'It fits into the running hour' : `It takes ${amount(hours)} hours of quota`;
  const isOver = Date.parse(quota.reset_at) <= now;
  const left = isOver ? '' : `, ${amount(quota.remaining)} left until ${quota.reset_at.slice(11, 16)} UTC`;
  return [`${time}.`, `Quota: ${amount(quota.limit)} an hour${left}${kept}.`];
}

/** Most look-ups that may follow: what to look up is known once the answers that mention it are stored. */
function lookUpsToFollow(plan: SyncPlan, request: SyncRequest, config: Config): number {
  const isIn = ({ name }: Endpoint): boolean => request.endpoints?.includes(name) ?? true;
  const isPlanned = ({ name }: Endpoint): boolean =>
    plan.by_project_and_endpoint.some(({ endpoint }) => endpoint === name);
  const mayFollow =
    enabledEndpoints(config).includes(promptLookup) && isIn(promptLookup) && isPlanned(events);
  if (!mayFollow) return 0;
  const known = plan.by_project_and_endpoint
    .filter(({ endpoint }) => endpoint === promptLookup.name)
    .reduce((sum, { requests }) => sum + requests, 0);
  return Math.max(0, config.sync.maxPromptLookups - known);
}

function remarksOf(plan: SyncPlan): string[] {
  const offline = plan.is_online
    ? []
    : [
        plan.projects === 0
          ? 'No stored project fits, so nothing can be planned: run answerlake plan without --offline.'
          : 'Planned from what is stored: new projects, prompts and models are not counted.',
      ];
  return [...offline, ...plan.warnings.map((text) => `warning: ${text}`), 'Nothing was stored.'];
}
