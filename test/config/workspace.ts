import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EndpointFacts } from '../../src/config/endpoints.ts';
import { openFolder } from '../support/folder.ts';

export const catalogue: readonly EndpointFacts[] = [
  series('visibility'),
  series('sentiment'),
  series('share_of_voice'),
  {
    name: 'prompts',
    path: '/api/v1/prompts',
    scopes: ['project'],
    grains: [],
    hasWindows: false,
    hasDays: false,
    limit: 100,
    parameterNames: ['page', 'size'],
  },
  {
    name: 'competitor_heatmap',
    path: '/api/v1/competitor-heatmap',
    scopes: ['project', 'model'],
    grains: [],
    hasWindows: true,
    hasDays: true,
    limit: 100,
    parameterNames: ['startDate', 'endDate', 'limit'],
  },
  {
    name: 'prompt',
    path: '/api/v1/prompts/{id}',
    scopes: ['project'],
    grains: [],
    hasWindows: false,
    hasDays: false,
    limit: null,
    parameterNames: [],
  },
];

function series(name: string): EndpointFacts {
  return {
    name,
    path: `/api/v1/${name}-time-series`,
    scopes: ['project', 'model', 'monitor', 'prompt'],
    grains: ['day', 'week', 'month'],
    hasWindows: false,
    hasDays: true,
    limit: null,
    parameterNames: ['startDate', 'endDate', 'range'],
  };
}

/** A folder that is gone when the test is over; `write` returns the path. */
export function openWorkspace(): {
  directory: string;
  write: (name: string, text: string, mode?: number) => string;
} {
  const directory = openFolder();
  return {
    directory,
    write: (name, text, mode = 0o644) => {
      const path = join(directory, name);
      writeFileSync(path, text);
      chmodSync(path, mode);
      return path;
    },
  };
}
