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
import { amount, counted } from '../quantity.ts';

const planFlags = selectionFlags.extend({
  offline: switchFlag('send no request: plan from stored data'),
});

/** `answerlake plan`: the requests of a sync. */
export const define = defined({ flags: planFlags }, async (context, { offline, ...flags }) => {
  // Offline, no request is sent, so no key is needed.
  const config = context.loadConfig({
    today: flags.today,
    secrets: offline ? 'leave' : 'read',
    isStrict: true,
  });
  const request = await syncRequestOf(flags, config);
  // A plan never waits for the next hour.
  await showPlan({ ...request, maxWaitMs: 0 }, { config, offline }, context);
});

interface PlanFrom {
  config: Config;
  offline: boolean;
}

/** Prints the requests of a run, as a table or as JSON. @throws as `planSync` */
export async function showPlan(request: SyncRequest, { config, offline }: PlanFrom, context: CommandContext) {
  const { planSync } = await import('../run/plan-sync.ts');
  const plan = await planSync(request, await context.runContext(config, 'warn'), offline);
  const lookUps = lookUpsToFollow(plan, request, config);
  context.printResult({ ...plan, lookups_at_most: lookUps }, () =>
    [
      ...tablesOf(plan, context),
      ...totalOf(plan, lookUps),
      ...nightsOf(plan),
      ...quotaOf(plan, config.api.reserveQuota, context.effects.now()),
      ...remarksOf(plan),
    ].join('\n'),
  );
  context.next([`answerlake sync${context.sameFlags('--offline', '--dry-run')}`, 'pull all of this']);
}

/** Each project's sum, if there are several, and then its endpoints. */
function tablesOf({ by_project_and_endpoint: planned }: SyncPlan, context: CommandContext): string[] {
  if (planned.length === 0) return [];
  const sums = new Map<string, [name: string, slices: number, requests: number]>();
  const endpoints = planned.map(({ project_id: id, project_name: name, endpoint, slices, requests }) => {
    const [called, before, asked] = sums.get(id) ?? [name ?? id, 0, 0];
    sums.set(id, [called, before + slices, asked + requests]);
    return [called, endpoint, slices, requests];
  });
  const projects = context.table(['project', 'slices', 'requests'], [...sums.values()]);
  const whole = context.table(['project', 'endpoint', 'slices', 'requests'], endpoints);
  return sums.size === 1 ? [whole] : [projects, whole];
}

function totalOf(plan: SyncPlan, lookUps: number): string[] {
  if (plan.projects === 0 && !plan.is_online) return [];
  const listed = plan.by_project_and_endpoint.reduce((sum, { requests }) => sum + requests, 0);
  const rest = plan.requests - listed;
  const lines = [
    `A sync of ${counted(plan.projects, 'project')} on ${plan.sync_day} would send about ${counted(plan.requests, 'request')}.`,
  ];
  if (lookUps > 0)
    lines.push(`Up to ${amount(lookUps)} more look up prompts that events mention but no list contains.`);
  if (rest > 0 && listed > 0)
    lines.push(`${amount(rest)} of them ${rest === 1 ? 'is' : 'are'} for keys and lists.`);
  return lines;
}

/** Endpoints that take several nights, because each run requests only part of them. */
function nightsOf({ by_project_and_endpoint: planned }: SyncPlan): string[] {
  return planned.flatMap(({ project_id: id, project_name: name, endpoint, nights }) =>
    nights === null || nights < 2
      ? []
      : [`${endpoint} of ${name ?? id}: complete after ${counted(nights, 'night')}.`],
  );
}

function quotaOf({ quota, hours }: SyncPlan, reserve: number, now: number): string[] {
  if (quota === null || hours === null) return ['The hourly quota, and so the duration, is not known yet.'];
  const kept = reserve === 0 ? '' : `, ${Math.round(reserve * 100)} % reserved for others`;
  const time = hours <= 1 ? 'It fits into the current hour' : `It takes ${amount(hours)} hours of quota`;
  const isOver = Date.parse(quota.reset_at) <= now;
  const left = isOver ? '' : `, ${amount(quota.remaining)} left until ${quota.reset_at.slice(11, 16)} UTC`;
  return [`${time}.`, `Quota: ${amount(quota.limit)} an hour${left}${kept}.`];
}

/** The maximum of later look-ups: their ids are known once the answers that mention them are stored. */
function lookUpsToFollow(plan: SyncPlan, request: SyncRequest, config: Config): number {
  const plannedOf = ({ name }: Endpoint) =>
    plan.by_project_and_endpoint.filter(({ endpoint }) => endpoint === name);
  const isIn = request.endpoints?.includes(promptLookup.name) ?? true;
  if (!isIn || !enabledEndpoints(config).includes(promptLookup) || plannedOf(events).length === 0) return 0;
  const known = plannedOf(promptLookup).reduce((sum, { requests }) => sum + requests, 0);
  return Math.max(0, config.sync.maxPromptLookups - known);
}

function remarksOf({ is_online: isOnline, projects, warnings }: SyncPlan): string[] {
  const offline =
    projects === 0
      ? 'No stored project matches, so nothing can be planned: run answerlake plan without --offline.'
      : 'Planned from stored data: new projects, prompts and models are not counted.';
  const known = isOnline ? [] : [offline];
  return [...known, ...warnings.map((text) => `warning: ${text}`), 'Nothing was stored.'];
}
