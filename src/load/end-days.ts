import { catalogue, endpointNamed } from '../endpoints/catalogue.ts';

/** Whether the server counts `endDate` itself. One path answers series and windows alike, so what it shows holds for both. */
export class EndDays {
  /** Path → counted or not. */
  readonly #isCounted = new Map<string, boolean>();

  /** @param known endpoint → whether its `endDate` counts */
  constructor(known: Iterable<readonly [endpoint: string, isCounted: boolean]> = []) {
    for (const [name, isCounted] of known) this.#isCounted.set(endpointNamed(name).path, isCounted);
  }

  /** What the endpoint's own path has shown; null when nothing. */
  shown(endpoint: string): boolean | null {
    return this.#isCounted.get(endpointNamed(endpoint).path) ?? null;
  }

  /** True when the endpoint leaves out the end day: by what its path has shown, else by most paths of its folder, else by most of all. */
  isLeftOut(endpoint: string): boolean {
    const shown = this.shown(endpoint);
    if (shown !== null) return !shown;
    const folder = folderOf(endpointNamed(endpoint).path);
    const siblings = [...this.#isCounted].filter(([path]) => folderOf(path) === folder);
    const asked = siblings.length > 0 ? siblings : [...this.#isCounted];
    const leaving = asked.filter(([, isCounted]) => !isCounted).length;
    return leaving * 2 > asked.length;
  }

  /** Names of the endpoints that leave out the end day. */
  leavingOut(): string[] {
    return catalogue.map(({ name }) => name).filter((name) => this.isLeftOut(name));
  }

  learn(endpoint: string, isCounted: boolean): void {
    this.#isCounted.set(endpointNamed(endpoint).path, isCounted);
  }
}

/** One part of a server answers the paths of a folder. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Names of all endpoints that ask the same path. */
export function endpointsOfPath(endpoint: string): string[] {
  const { path } = endpointNamed(endpoint);
  return catalogue.filter((other) => other.path === path).map(({ name }) => name);
}
