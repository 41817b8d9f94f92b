import { unknownOrganization } from '../../extract/clients.ts';
import type { Reached } from '../../extract/reach-projects.ts';
import type { Step } from '../../run/outcome.ts';
import type { Pulling } from '../../run/pulling.ts';
import { pullStages } from '../../run/stages.ts';
import { LoadedResults } from './loaded-results.ts';
import { OrganizationAsker, type OrganizationAskerOptions } from './organization-asker.ts';

export type PullOptions = Pick<OrganizationAskerOptions, 'rounds' | 'turn' | 'zone' | 'same' | 'maxWaitMs'>;

/** The stages of every organization side by side: one that waits for its hour holds up no other. */
export async function* pullOrganizations(
  pulling: Pulling,
  reached: Reached,
  options: PullOptions,
): AsyncGenerator<Step> {
  const { turn } = options;
  const broken = new AbortController();
  const signal = AbortSignal.any([pulling.signal, broken.signal]);
  const steps: Step[] = [];
  const pulled = await Promise.allSettled(
    [...byOrganization(reached)].map(async ([organization, own]) => {
      const results = new LoadedResults();
      const shared = { ...pulling, signal, queue: results };
      const asker = new OrganizationAsker({ ...options, organization, pulling: shared, results });
      await turn.take();
      try {
        for await (const step of pullStages({ ...shared, asker }, own)) steps.push(step);
        steps.push({ results: results.takeLoaded(), problems: [] });
      } catch (error) {
        broken.abort(error);
        throw error;
      } finally {
        turn.give();
      }
    }),
  );
  yield* steps;
  const failed = pulled.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** The accounts of an organization share its quota, so they stay together. */
function byOrganization(reached: Reached): Map<string, Reached> {
  const groups = new Map<string, Reached>();
  for (const account of reached.accounts) {
    const { config, organizationId } = account;
    const name = organizationId ?? unknownOrganization(config.name);
    const known = groups.get(name)?.accounts ?? [];
    groups.set(name, { ...reached, accounts: [...known, account], projects: [] });
  }
  for (const [name, group] of groups) {
    const names = new Set(group.accounts.map(({ config }) => config.name));
    const projects = reached.projects.filter(({ account }) => names.has(account.config.name));
    groups.set(name, { ...group, projects });
  }
  return groups;
}
