import { expect, it } from 'vitest';
import type { SimulatorOptions } from '../../simulator/options.ts';
import { NoneLeft, openQuestioner, type Question, type Questioner } from '../../src/check/budget.ts';
import { checkApi } from '../../src/check/check-api.ts';
import type { Verdict } from '../../src/check/verdict.ts';
import { toDay } from '../../src/day.ts';
import { openClients } from '../../src/extract/clients.ts';
import { silentLog } from '../../src/log.ts';
import { openRig } from '../flow/rig.ts';

const TODAY = '2026-07-14';
const FAULTS: [string, SimulatorOptions][] = [
  ['works as documented', {}],
  ['does not count endDate', { endDateInclusive: false }],
  ['keeps 60 days and refuses older ones', { keepDays: 60, tooOld: 'refused' }],
  ['keeps 60 days', { keepDays: 60 }],
  ['answers long windows in steps of 7 days', { coarseAfterDays: 31 }],
];

/** One line for each endpoint, because a verdict on one rule of the server names all endpoints that showed it. */
function linesOf({ topic, endpoints, verdict, setting }: Verdict): string[] {
  return endpoints.map((endpoint) => `${topic} ${endpoint}: ${verdict} ${setting ?? ''}`);
}

it.each(FAULTS)(
  'whatever number of requests is left, no verdict on a server that %s is wrong',
  async (_, fault) => {
    await using rig = await openRig({ ...fault, world: 'small', today: TODAY, startDate: '2025-07-01' });
    const { config, effects } = rig;
    await using clients = openClients({
      context: { config, effects, log: silentLog, version: '0.0.0' },
    });
    const projectId = rig.simulator.world.projects[0]?.id ?? '';
    const of = { config, projectId, sendsProject: true, signal: new AbortController().signal };
    const inner = openQuestioner(clients.of('acme'), of);
    const replies = new Map<string, ReturnType<Questioner['ask']>>();
    const checked = async (requests: number): Promise<{ verdicts: readonly Verdict[]; asked: number }> => {
      let asked = 0;
      const ask = async (question: Question) => {
        if (asked === requests) throw new NoneLeft(question);
        asked += 1;
        const key = JSON.stringify({ ...question, endpoint: question.endpoint.name });
        const reply = replies.get(key) ?? inner.ask(question);
        replies.set(key, reply);
        return await reply;
      };
      const { verdicts } = await checkApi({ config, questioner: { ask }, today: toDay(TODAY), projectId });
      return { verdicts, asked };
    };
    const whole = await checked(Number.POSITIVE_INFINITY);
    const right = new Set(whole.verdicts.flatMap(linesOf));
    const wrong: string[] = [];
    for (let requests = 0; requests < whole.asked; requests += 1) {
      const { verdicts } = await checked(requests);
      const told = verdicts.filter(({ verdict }) => verdict !== 'cannot tell').flatMap(linesOf);
      wrong.push(...told.filter((one) => !right.has(one)).map((one) => `${String(requests)}: ${one}`));
    }
    expect(whole.asked).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  },
);
