import { suggestion } from '../did-you-mean.ts';
import { catalogue, endpointsMeant } from '../endpoints/catalogue.ts';
import { AnswerlakeError } from '../errors.ts';

export const ENDPOINT_NAMES: readonly string[] = catalogue.map((endpoint) => endpoint.name);

/** Catalogue names meant by a name, with hyphens too, or by the end of an API path. */
export function namesMeant(name: string): string[] {
  return endpointsMeant(name).map((endpoint) => endpoint.name);
}

/** @throws AnswerlakeError 'configuration' when one is unknown */
export function endpointNames(names: readonly string[]): string[] {
  return [...new Set(names.flatMap(requireNames))];
}

function requireNames(name: string): string[] {
  const meant = namesMeant(name);
  if (meant.length > 0) return meant;
  throw new AnswerlakeError(`--endpoint: there is no endpoint ${name}; ${suggestion(name, ENDPOINT_NAMES)}`, {
    class: 'configuration',
  });
}
