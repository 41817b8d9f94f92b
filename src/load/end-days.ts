import { endpointsAtPathOf, ownPath, type PathOf } from '../endpoints/asked-path.ts';
import { catalogue } from '../endpoints/catalogue.ts';

/** Whether the server counts `endDate` itself. One path answers series and windows alike, so what it shows holds for both. */
export class EndDays {
  readonly #pathOf: PathOf;
  /** Path → counted or not. */
  readonly #isCounted = new Map<string, boolean>();

  /** @param known endpoint → whether its `endDate` counts */
  constructor(known: Iterable<readonly [endpoint: string, isCounted: boolean]> = [], pathOf = ownPath) {
    this.#pathOf = pathOf;
    for (const [name, isCounted] of known) this.learn(name, isCounted);
  }

  /** What the endpoint's own path has shown; null when nothing. */
  shown(endpoint: string): boolean | null {
    return this.#isCounted.get(this.#pathOf(endpoint)) ?? null;
  }

  /** True when the endpoint leaves out the end day: by what its path has shown, else by most paths of its folder, else by most of all. */
  isLeftOut(endpoint: string): boolean {
    const shown = this.shown(endpoint);
    if (shown !== null) return !shown;
    const folder = folderOf(this.#pathOf(endpoint));
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
    this.#isCounted.set(this.#pathOf(endpoint), isCounted);
  }

  /** Names of all endpoints of which the same is learned. */
  alike(endpoint: string): string[] {
    return endpointsAtPathOf(endpoint, this.#pathOf);
  }

  /** The path that an endpoint is asked at. */
  pathOf(endpoint: string): string {
    return this.#pathOf(endpoint);
  }
}

/** One part of a server answers the paths of a folder. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
