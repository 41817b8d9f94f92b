import { AnswerlakeError } from '../errors.ts';
import type { Secret } from '../secret.ts';
import type { LakePlace } from './ducklake/lake-settings.ts';
import type { PublishTarget } from './target.ts';

/** The settings that choose a target. */
export interface TargetSettings {
  target: 'duckdb' | 'postgres' | 'ducklake';
  url: Secret | null;
  lake: LakePlace | null;
  mode: number;
}

/** The target besides the published file; null where the file is all. Its code is loaded only where it is used. */
export async function openTarget({ target, url, lake, mode }: TargetSettings): Promise<PublishTarget | null> {
  switch (target) {
    case 'duckdb':
      return null;
    case 'postgres': {
      if (url === null) throw new AnswerlakeError('target: postgres has no url', { class: 'bug' });
      const { postgresTarget } = await import('./postgres/target.ts');
      return postgresTarget(url);
    }
    case 'ducklake': {
      if (lake === null) throw new AnswerlakeError('target: ducklake has no lake', { class: 'bug' });
      const { openDuckLake } = await import('./ducklake/duck-lake.ts');
      return openDuckLake({ ...lake, mode });
    }
    default:
      return target satisfies never;
  }
}
