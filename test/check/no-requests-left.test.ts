import { expect, it } from 'vitest';
import { NoneLeft, type ApiQuestion } from '../../src/check/budget.ts';
import { checkApi } from '../../src/check/check-api.ts';
import { toDay } from '../../src/day.ts';
import { openRig } from '../flow/rig.ts';

it('a check whose requests are used up says where it stopped, and nothing of what follows', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2025-07-01' });
  const ask = async (question: ApiQuestion): Promise<never> => {
    throw new NoneLeft(question);
  };
  const today = toDay('2026-07-14');
  const { verdicts } = await checkApi({ config: rig.config, questioner: { ask }, today, projectId: 'p' });
  expect(verdicts).toMatchObject([{ topic: 'requests', endpoints: ['prompts'], verdict: 'cannot tell' }]);
});
