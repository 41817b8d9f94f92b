import { Refusal } from './refusal.ts';
import type { Route } from './route.ts';
import type { SimulatorState } from './state.ts';
import type { WorldKey, WorldProject } from './world.ts';

/** The two headers that identify the caller. */
export interface Credentials {
  apiKey: string | undefined;
  projectId: string | undefined;
}

export interface Access {
  key: WorldKey | undefined;
  project: WorldProject | undefined;
}

function unauthorized(route: Route): Refusal {
  if (route.access === 'validation') return new Refusal(401, { valid: false, message: 'Invalid API key.' });
  return new Refusal(401, { error: 'Unauthorized', message: 'Missing or invalid X-API-Key header.' });
}

function forbidden(message: string): Refusal {
  return new Refusal(403, { error: 'Forbidden', message, details: {} });
}

/** @throws Refusal (401, 403 or 404) when the caller has no access */
export function checkAccess(state: SimulatorState, route: Route, credentials: Credentials): Access {
  if (route.access === 'open') return { key: undefined, project: undefined };
  const key = state.keys.find((one) => one.key === credentials.apiKey);
  if (key === undefined) throw unauthorized(route);
  const { projectId } = credentials;
  if (key.type === 'project') {
    if (projectId !== undefined && projectId !== key.projectId)
      throw forbidden('The key belongs to another project.');
    return { key, project: findProject(state, key.projectId ?? '') };
  }
  if (projectId !== undefined) return { key, project: findProject(state, projectId) };
  if (route.access === 'validation') return { key, project: undefined };
  throw forbidden('X-Project-Id is required for organization keys.');
}

function findProject(state: SimulatorState, id: string): WorldProject {
  const project = state.world.projects.find((one) => one.id === id);
  if (project !== undefined) return project;
  throw new Refusal(404, { error: 'Not Found', message: `Project ${id} not found.`, details: {} });
}
