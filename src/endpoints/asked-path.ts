import { catalogue, endpointNamed } from './catalogue.ts';

/** Endpoint name → the path that it is asked at. */
export type PathOf = (endpoint: string) => string;

/** @param settings endpoint name → what the configuration says of it */
export function askedPaths(
  settings: Readonly<Record<string, { path?: string | undefined } | undefined>>,
): PathOf {
  return (endpoint) => settings[endpoint]?.path ?? endpointNamed(endpoint).path;
}

/** The paths of the catalogue. */
export const ownPath: PathOf = askedPaths({});

/** Names of all endpoints that are asked at the path of this one. */
export function endpointsAtPathOf(endpoint: string, pathOf: PathOf): string[] {
  const path = pathOf(endpoint);
  return catalogue.map(({ name }) => name).filter((name) => pathOf(name) === path);
}
