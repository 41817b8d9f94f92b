import type { Secret } from '../secret.ts';
import type { PublishTarget } from './target.ts';

/** The settings that choose a target. */
export interface TargetSettings {
  target: 'duckdb';
  url: Secret | null;
}

/** The target besides the published file; null where the file is all. Its code is loaded only where it is used. */
export function openTarget({ target }: TargetSettings): Promise<PublishTarget | null> {
  switch (target) {
    case 'duckdb':
      return Promise.resolve(null);
    default:
      return target satisfies never;
  }
}
