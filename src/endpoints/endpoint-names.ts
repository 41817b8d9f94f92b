import { catalogue, endpointsMeant } from './catalogue.ts';

export const ENDPOINT_NAMES: readonly string[] = catalogue.map((endpoint) => endpoint.name);

/** The catalogue names that a person means by an endpoint's name (hyphens are allowed) or by the end of an API path. */
export function namesMeant(name: string): string[] {
  return endpointsMeant(name).map((endpoint) => endpoint.name);
}
