import type { Config } from '../config/config.ts';
import { endpointNamed } from '../endpoints/catalogue.ts';
import type { ApiClient } from '../extract/client.ts';
import { fetchSlice, type FetchedSlice, type SliceRequest } from '../extract/fetch-slice.ts';

/** A slice to ask for; what else a request has, the configuration says. */
export type PlannedRequest = Pick<
  SliceRequest,
  'slice' | 'asked' | 'limit' | 'wanted' | 'projectHeader' | 'signal'
> &
  Partial<Pick<SliceRequest, 'pageSize'>>;

/** Asks for a slice as the configuration says. @throws as `fetchSlice` */
export async function fetchPlanned(
  client: Pick<ApiClient, 'get'>,
  { sync }: { sync: Pick<Config['sync'], 'endpoints' | 'timezone'> },
  planned: PlannedRequest,
): Promise<FetchedSlice> {
  const { endpoint } = planned.slice;
  const { path, parameters, limit: pageSize } = sync.endpoints[endpoint] ?? {};
  return await fetchSlice(client, {
    endpoint: endpointNamed(endpoint),
    timezone: sync.timezone,
    path,
    parameters,
    pageSize,
    ...planned,
  });
}
