import { expect, it } from 'vitest';
import { openClients, type Clients } from '../../src/extract/clients.ts';
import type { Fault } from '../../simulator/faults.ts';
import { reachProjects, type Reached } from '../../src/extract/reach-projects.ts';
import { openRig, SMALL, type RigOptions } from '../flow/rig.ts';

/** What the keys of a configuration reach; `answer` replaces the body of a validation, by the project asked for. */
async function reachedWith(
  options: Partial<RigOptions>,
  answer: (body: object, projectId: string | undefined) => unknown = (body) => body,
): Promise<Reached & ReturnType<Clients['totals']>> {
  await using rig = await openRig({ ...SMALL, world: 'demo', ...options });
  rig.answer('/validate', ({ projectId }, { body }) => ({ body: answer(body as object, projectId) }));
  await using clients = openClients({ context: rig.context });
  const { signal } = new AbortController();
  const reached = await reachProjects({ config: rig.config, clients, wanted: null, signal });
  return { ...reached, ...clients.totals() };
}

const problemsOf = ({ problems }: Reached): unknown[] =>
  problems.map(({ error }) => [error.exitCode, error.message]);

it.each(['ORGANIZATION', 'org'])('a key whose type is written %s reaches its projects', async (keyType) => {
  const reached = await reachedWith({}, (body) => ({ ...body, keyType }));
  const keys = reached.projects.map(({ account }) => account.isOrganizationKey);
  expect([keys, problemsOf(reached)]).toEqual([[true, true, true], []]);
  const ids = new Set(reached.projects.map(({ projectId }) => projectId));
  expect([reached.listed, new Set(reached.names?.keys())]).toEqual([ids, ids]);
});

it('an organization key that names a project too reaches all that it lists', async () => {
  const project = { id: 'own', name: 'Own', slug: 'own' };
  const reached = await reachedWith({}, (body, asked) => (asked === undefined ? { ...body, project } : body));
  expect(reached.projects).toHaveLength(3);
});

it('a key of another type that names a project reaches this one alone, without the project header', async () => {
  const reached = await reachedWith({ key: 'demo-project-key' }, (body) => ({ ...body, keyType: 'reader' }));
  expect(reached.projects).toMatchObject([{ account: { isOrganizationKey: false } }]);
});

it.each<[number, string, unknown]>([
  [4, 'is not valid', { valid: false }],
  [3, 'does not have the documented shape', null],
  [3, 'does not have the documented shape', 'no'],
])('a validation ends with %i where its answer %s', async (code, says, body) => {
  const reached = await reachedWith({}, () => body);
  expect(problemsOf(reached)).toEqual([[code, expect.stringContaining(says)]]);
  expect([reached.accounts, reached.projects, reached.listed]).toEqual([[], [], null]);
});

it('keys that reach no project are told from projects that only do not answer this time', async () => {
  const none = await reachedWith({}, (body) => ({ ...body, availableProjects: [] }));
  expect(problemsOf(none)).toEqual([[4, expect.stringContaining('they reach no project (acme)')]]);
  const failing = (fault: Fault) =>
    reachedWith({ faults: ({ projectId }) => (projectId === undefined ? undefined : fault) });
  const away = await failing({ kind: 'status', status: 503 });
  expect(away.projects).toEqual([]);
  expect(away.problems.map(({ error }) => error.exitCode)).toEqual([5, 5, 5]);
  expect(away.retries).toBeGreaterThan(0);
  expect(away.requests).toBe(1 + 3 + away.retries);
  const parked = await failing({ kind: 'quota', retryAfter: 3000 });
  expect(parked.problems.map(({ error }) => error.class)).toEqual(['quota']);
});
