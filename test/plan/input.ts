import { addDays, toDay } from '../../src/day.ts';
import { endpointNamed } from '../support/catalogue.ts';
import { MAX_WINDOW_DAYS } from '../../src/endpoints/endpoint.ts';
import type { Coverage } from '../../src/plan/coverage.ts';
import type { Account } from '../../src/extract/reach-projects.ts';
import type { SliceJob } from '../../src/plan/owed.ts';
import type { PlanInput } from '../../src/plan/plan.ts';
import type { EndpointPlan } from '../../src/plan/selection.ts';
import { secretOf } from '../../src/secret.ts';
import type { Slice } from '../../src/slice.ts';

export const EMPTY_COVERAGE: Coverage = {
  settled: () => [],
  unconfirmed: () => [],
  begin: () => null,
  missing: () => [],
  needed: () => [],
  shownBy: new Map(),
  fits: () => null,
  asks: () => 'all',
};

export const START = toDay('2025-11-20');
export const TODAY = toDay('2026-03-17');

/** No value of any scope. */
export const NO_VALUES = { model: [], monitor: [], prompt: [], prompt_type: [], page: [] };

/** An endpoint as the default configuration has it, without its finer scopes. */
export function byDefault(name: string): EndpointPlan {
  const endpoint = endpointNamed(name);
  return {
    endpoint,
    scopes: ['project'],
    grains: ['day'],
    windows: ['month', 'last_28_days'],
    maxDays: MAX_WINDOW_DAYS,
    endDate: 'inclusive',
    askedWith: 'today',
    series: null,
    start: null,
    limit: endpoint.limit,
  };
}

/** What a project is planned from of which nothing is known. */
export const NOTHING_KNOWN: Omit<PlanInput, 'endpoints'> = {
  projectId: 'p',
  scopeValues: NO_VALUES,
  range: { start: START, end: TODAY },
  today: TODAY,
  recent: { start: addDays(TODAY, -7), end: TODAY },
  coverage: EMPTY_COVERAGE,
};

/** An account of an organization. */
export const ACCOUNT: Account = {
  config: { name: 'acme', apiKey: secretOf('env:KEY', 'a-key'), projects: 'all', except: [] },
  organizationId: 'o1',
  isOrganizationKey: true,
};

/** What is asked for with the key of that account. */
export function jobOf(slice: Slice): SliceJob {
  return {
    planned: { endpoint: endpointNamed(slice.endpoint), slice, asked: null, limit: null, askedWith: '' },
    account: ACCOUNT,
  };
}
