import type { Clients } from '../../extract/clients.ts';
import type { QuotaSnapshot } from '../../extract/quota-state.ts';

/** What workers have told of their clients, as if they were here. */
export interface RemoteClients extends Clients {
  told(said: {
    requests: number;
    retries: number;
    warnings?: readonly string[];
    quotas?: readonly (readonly [organization: string, seen: QuotaSnapshot])[];
  }): void;
}

/** The loader asks nobody: its clients only remember what workers tell. */
export function remoteClients(initial: ReadonlyMap<string, QuotaSnapshot>): RemoteClients {
  const seen = new Map(initial);
  const quotas = new Map([...initial.keys()].map((id) => [id, { snapshot: () => seen.get(id) ?? null }]));
  const totals = { requests: 0, retries: 0 };
  const warnings = new Set<string>();
  return {
    of: (account) => {
      throw new RangeError(`the loader has no client for account ${account}`);
    },
    joinOrganization: () => undefined,
    quotas,
    totals: () => ({ ...totals }),
    warnings: () => [...warnings],
    told: (said) => {
      totals.requests += said.requests;
      totals.retries += said.retries;
      for (const warning of said.warnings ?? []) warnings.add(warning);
      for (const [id, quota] of said.quotas ?? []) {
        seen.set(id, quota);
        quotas.set(id, { snapshot: () => seen.get(id) ?? null });
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}
