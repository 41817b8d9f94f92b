import type { SyncPlan } from '../run/plan-sync.ts';
import { formatTable } from './terminal/table.ts';
import { amount } from './terminal/amount.ts';

export interface PlanView {
  /** Project id → name, as far as known. */
  names: ReadonlyMap<string, string>;
  /** Share of the hourly quota left to others, 0..1. */
  reserve: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** Width to fit in; nothing is wrapped when left out. */
  width?: number;
}

/** What a sync would ask, for people. */
export function formatPlan(plan: SyncPlan, view: PlanView): string {
  return [...tableOf(plan, view), ...totalOf(plan), ...quotaOf(plan, view), ...remarksOf(plan)].join('\n');
}

function tableOf(plan: SyncPlan, { names, width }: PlanView): string[] {
  if (plan.by_project_and_endpoint.length === 0) return [];
  const table = formatTable({
    columns: [
      { title: 'project' },
      { title: 'endpoint' },
      { title: 'slices', isNumber: true },
      { title: 'requests', isNumber: true },
    ],
    rows: plan.by_project_and_endpoint.map(({ project_id: projectId, endpoint, slices, requests }) => [
      names.get(projectId) ?? projectId,
      endpoint,
      amount(slices),
      amount(requests),
    ]),
    ...(width === undefined ? {} : { width }),
  });
  return [table];
}

function totalOf(plan: SyncPlan): string[] {
  if (plan.projects === 0 && !plan.is_online) return [];
  const listed = plan.by_project_and_endpoint.reduce((sum, { requests }) => sum + requests, 0);
  const rest = plan.requests - listed;
  const projects = plan.projects === 1 ? '1 project' : `${amount(plan.projects)} projects`;
  const requests = plan.requests === 1 ? '1 request' : `${amount(plan.requests)} requests`;
  return [
    `A sync of ${projects} on ${plan.sync_day} would send about ${requests}.`,
    ...(rest > 0 && listed > 0
      ? [`${amount(rest)} of them ${rest === 1 ? 'is' : 'are'} for keys and lists.`]
      : []),
  ];
}

function quotaOf({ quota, hours }: SyncPlan, { reserve, now }: PlanView): string[] {
  if (quota === null || hours === null) return ['The hourly quota is not known yet, so neither is the time.'];
  const kept = reserve === 0 ? '' : `, ${Math.round(reserve * 100)} % kept for others`;
  const time = hours <= 1 ? 'It fits into the running hour' : `It takes ${amount(hours)} hours of quota`;
  const isOver = Date.parse(quota.reset_at) <= now;
  const left = isOver ? '' : `, ${amount(quota.remaining)} left until ${quota.reset_at.slice(11, 16)} UTC`;
  return [`${time}.`, `Quota: ${amount(quota.limit)} an hour${left}${kept}.`];
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
