import { checkAccess, type Credentials } from './access.ts';
import { dayFromNumber } from '../src/day.ts';
import { readParameters, type Parameters, type QueryPairs } from './parameters.ts';
import { Refusal, type Answer } from './refusal.ts';
import { routesOf } from './routes.ts';
import type { SimulatorState } from './state.ts';
import { readWindow } from './windows.ts';
import type { WorldProject } from './world.ts';

export interface AnswerRequest extends Credentials {
  method: string;
  path: string;
  query: QueryPairs;
  /** The parsed JSON body of a POST. */
  body: unknown;
}

/** The correct answer to a request, without quota, faults or counting. */
export function answerRequest(state: SimulatorState, request: AnswerRequest): Answer {
  try {
    return { status: 200, headers: {}, body: bodyOf(state, request) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, headers: error.headers, body: error.body };
  }
}

function bodyOf(state: SimulatorState, request: AnswerRequest): unknown {
  const matches = routesOf(request.path);
  const match = matches.find(({ route }) => route.method === request.method);
  if (match === undefined) {
    const message = `Route ${request.method}:${request.path} not found`;
    const allow = matches.map(({ route }) => route.method).join(', ');
    if (allow !== '') {
      throw new Refusal(405, { error: 'Method Not Allowed', message, details: { allow } }, { allow });
    }
    throw new Refusal(404, { error: 'Not Found', message, details: {} });
  }
  const { route, id } = match;
  const access = checkAccess(state, route, request);
  const parameters = readParameters(request.query, {
    rules: route.rules,
    ignored: state.options.ignoredParameters,
  });
  if (route.access !== 'project') return route.answer({ state, version: route.version, ...access });
  if (access.project === undefined)
    throw new Refusal(403, { error: 'Forbidden', message: 'No project.', details: {} });
  const { project } = access;
  const { endpoint } = route;
  const isAnswerEmpty = filtersByRemoved(state, project, parameters);
  return route.answer({
    state,
    endpoint,
    project,
    parameters,
    window:
      'startDate' in route.rules && !isAnswerEmpty
        ? readWindow(state, { endpoint, parameters, project })
        : { start: 0, end: -1 },
    id,
    body: request.body,
  });
}

/**
 * Whether the request filters by a monitor or model that was removed.
 * @throws Refusal (404) when it is refused for that
 */
function filtersByRemoved(state: SimulatorState, project: WorldProject, parameters: Parameters): boolean {
  const asked = [
    parameters.text('llmMonitorId'),
    parameters.text('model'),
    ...(parameters.list('models') ?? []),
  ];
  const today = dayFromNumber(state.today);
  for (const { id, removed } of [...project.monitors, ...project.models]) {
    if (removed === undefined || today < removed.on || !asked.includes(id)) continue;
    if (removed.answer === 'empty') return true;
    throw new Refusal(404, { error: 'Not Found', message: `${id} does not exist.`, details: {} });
  }
  return false;
}
