import { expect, it } from 'vitest';
import { DRAFT_ERRORS } from '../../simulator/draft-answer.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { start, who } from './ask.ts';

async function push(
  simulator: Simulator,
  content: string,
  body: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { apiKey, projectId } = who(simulator);
  const response = await fetch(`${simulator.url}/api/v2/content/${content}/cms/draft`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'x-project-id': projectId, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

it('the simulated draft push stages a draft and updates the same item when pushed again', async () => {
  await using simulator = await start();
  const connectionId = simulator.world.projects[0]?.connectionIds[0];
  const first = await push(simulator, 'doc-1', { connectionId, slug: 'hello' });
  expect(first).toEqual({
    status: 200,
    body: {
      publishRecordId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      externalItemId: 'item-1',
      status: 'STAGED',
      slug: 'hello',
    },
  });
  const again = await push(simulator, 'doc-1', { connectionId, slug: 'hello-2' });
  expect(again.body).toEqual({ ...first.body, slug: 'hello-2' });
  const other = await push(simulator, 'doc-2', { connectionId, slug: 'hello' });
  expect(other.body['externalItemId']).toBe('item-2');
  expect(simulator.requests[0]).toMatchObject({ method: 'POST', body: { connectionId, slug: 'hello' } });
});

it('the simulated draft push answers an unknown connection with its code', async () => {
  await using simulator = await start();
  const answer = await push(simulator, 'doc-1', {
    connectionId: '00000000-0000-4000-8000-000000000000',
    slug: 'x',
  });
  expect(answer).toMatchObject({ status: 404, body: { code: 'CMS_INTEGRATIONS_CONNECTION_NOT_FOUND' } });
});

it.each(Object.entries(DRAFT_ERRORS))(
  'the simulated draft push answers %s with its code and message',
  async (content, expected) => {
    await using simulator = await start();
    const connectionId = simulator.world.projects[0]?.connectionIds[0];
    const answer = await push(simulator, content, { connectionId, slug: 'x' });
    const { status, ...body } = expected;
    expect(answer).toEqual({ status, body });
  },
);

it('the simulated draft push refuses a body without its fields, an empty one and a caller without a key', async () => {
  await using simulator = await start();
  expect(await push(simulator, 'doc-1', { slug: 'x' })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR', message: expect.stringContaining('connectionId') },
  });
  const url = `${simulator.url}/api/v2/content/doc-1/cms/draft`;
  const json = { 'content-type': 'application/json' };
  const empty = await fetch(url, { method: 'POST', headers: json });
  expect(await empty.json()).toMatchObject({ code: 'FST_ERR_CTP_EMPTY_JSON_BODY' });
  const keyless = await fetch(url, { method: 'POST', headers: json, body: '{}' });
  expect(keyless.status).toBe(401);
  expect((await fetch(url)).status).toBe(405);
});
