import { createHash } from 'node:crypto';
import { catalogue } from '../endpoints/catalogue.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';

const DIGEST_LENGTH = 16;

/** What the configuration says about how endpoints are asked. */
export interface AskedSettings {
  api: { endDate: EndDate };
  sync: {
    timezone: string;
    endpoints: Readonly<Record<string, EndpointSettings | undefined>>;
  };
}

/** Whether the server counts `endDate` itself. */
export type EndDate = 'inclusive' | 'exclusive';

interface EndpointSettings {
  path?: string | undefined;
  parameters?: Readonly<Record<string, string>> | undefined;
  endDate?: EndDate | undefined;
}

export function endDateOf({ api, sync }: AskedSettings, endpoint: string): EndDate {
  return sync.endpoints[endpoint]?.endDate ?? api.endDate;
}

/** Digest of everything that decides what an answer of the endpoint means: path, parameter names, `end_date` and zone. */
export function askedWith(settings: AskedSettings, endpoint: Endpoint): string {
  const { path = endpoint.path, parameters = {} } = settings.sync.endpoints[endpoint.name] ?? {};
  const renamed = Object.entries(parameters)
    .filter(([name, sent]) => name !== sent)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const zone = endpoint.hasTimezone ? settings.sync.timezone : null;
  const meaning = JSON.stringify([path, renamed, endDateOf(settings, endpoint.name), zone]);
  return createHash('sha256').update(meaning).digest('hex').slice(0, DIGEST_LENGTH);
}

/** Endpoint name → the digest of today's settings. */
export function askedWithByEndpoint(settings: AskedSettings): Map<string, string> {
  return new Map(catalogue.map((endpoint) => [endpoint.name, askedWith(settings, endpoint)]));
}
