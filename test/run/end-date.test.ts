import { expect, it } from 'vitest';
import { openRig } from '../flow/rig.ts';

it.each([
  ['leaves out', 'exclusive', []],
  ['leaves out', 'inclusive', ['its last day, so the server does not seem to count endDate']],
  ['counts', 'inclusive', []],
  ['counts', 'exclusive', ['its day after, so the server seems to count endDate']],
] as const)(
  'a server that %s endDate, asked with the setting %s, fails with %j',
  async (says, endDate, failures) => {
    await using rig = await openRig({
      world: 'small',
      today: '2026-07-14',
      startDate: '2026-05-20',
      endDateInclusive: says === 'counts',
      change: (config) => ({
        ...config,
        api: { ...config.api, endDate },
        sync: { ...config.sync, scopes: {}, windows: ['month'] },
      }),
    });
    const run = await rig.pull({ endpoints: ['response_sentiment', 'response_summary'] });
    expect(run.failures.map(({ message }) => message)).toEqual(
      failures.map((text) => expect.stringContaining(text)),
    );
    expect(run.exit_code).toBe(failures.length === 0 ? 0 : 3);
  },
);
