import { describe, expect, it } from 'vitest';
import { parseFaults, type Fault } from '../../simulator/faults.ts';
import type { RequestRecord } from '../../simulator/request-record.ts';
import { get, start } from './ask.ts';

it('a simulated fault hits chosen requests and stops when told so', async () => {
  await using simulator = await start({
    faults: (request, ordinal) =>
      request.path.endsWith('prompts') && ordinal === 1 ? { kind: 'status', status: 502 } : undefined,
  });
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(200);
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(502);
  simulator.setFaults(() => ({ kind: 'status', status: 404 }));
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(404);
  simulator.setFaults(undefined);
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(200);
});

describe('parseFaults', () => {
  const draw = (text: string, seed?: number): (Fault | undefined)[] => {
    const rule = parseFaults(text, seed);
    return Array.from({ length: 10_000 }, (_, ordinal) => rule({} as RequestRecord, ordinal));
  };

  it('parseFaults draws faults in their shares, decided by the seed', () => {
    const faults = draw('500:0.05, reset:0.02,hang:.01', 3);
    const count = (kind: string): number => faults.filter((fault) => fault?.kind === kind).length;
    expect(count('status')).toBeGreaterThan(400);
    expect(count('status')).toBeLessThan(600);
    expect(count('reset')).toBeGreaterThan(130);
    expect(count('hang')).toBeGreaterThan(50);
    expect(draw('500:0.05, reset:0.02,hang:.01', 3)).toEqual(faults);
    expect(draw('500:0.05, reset:0.02,hang:.01', 4)).not.toEqual(faults);
    expect(draw('')).toEqual(Array.from({ length: 10_000 }));
  });

  it.each(['boom:0.1', '500', '500:2', '200:0.1', 'reset:x', 'reset:0.1:1', 'reset:0.6,hang:0.6'])(
    'parseFaults refuses %s',
    (text) => {
      expect(() => parseFaults(text)).toThrow(RangeError);
    },
  );
});
