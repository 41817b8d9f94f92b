import type { ProjectData } from './project-data.ts';

/** Why a chart of these endpoints has nothing to draw: not enabled, failed, never asked and no figures are four things. */
export function noDataReason(data: ProjectData, ...endpoints: readonly string[]): string {
  const known = data.freshness.filter(({ endpoint }) => endpoints.includes(endpoint));
  const statuses = known.map(({ status }) => status);
  if (known.length === 0) return 'Not asked for yet.';
  if (statuses.every((status) => status === 'not_enabled')) return 'Not enabled for this project.';
  if (statuses.every((status) => status === 'never_asked')) return 'Not asked for yet.';
  if (statuses.some((status) => status === 'failed')) return 'The newest request failed; nothing is stored.';
  return 'The API reports no figures here.';
}
