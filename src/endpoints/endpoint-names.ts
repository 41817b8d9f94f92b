import { catalogue, endpointsMeant } from './catalogue.ts';

export const ENDPOINT_NAMES: readonly string[] = catalogue.map((endpoint) => endpoint.name);

/** Catalogue names meant by a name, with hyphens too, or by the end of an API path. */
export function namesMeant(name: string): string[] {
  return endpointsMeant(name).map((endpoint) => endpoint.name);
}
