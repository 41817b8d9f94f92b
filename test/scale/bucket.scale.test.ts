import { expect, test } from 'vitest';
import { openZone } from '../../src/scale/landing/zone.ts';
import { Fleet, TODAY } from './fleet.ts';

const AWS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_ENDPOINT_URL'] as const;
const env = Object.fromEntries(AWS.map((name) => [name, process.env[name] ?? '']));

test.skipIf(env['AWS_ENDPOINT_URL'] === '')(
  'a landing zone on an S3 server gives the content of one process; one that is away is exit 7',
  async () => {
    const landing = `s3://answers/landing-${String(process.pid)}`;
    const fleet = await Fleet.open(2, { landing, env });
    const missing = await fleet.run(['worker'], { env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' } });
    expect(missing).toMatchObject({ code: 7, stderr: expect.stringContaining(landing) });
    const programs = [fleet.start(['loader']), fleet.start(['worker']), fleet.start(['worker'])];
    const run = await fleet.run(['queue', 'run', '--wait', '--today', TODAY]);
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/^\nNext:\n/) });
    await using zone = openZone(landing, { env, signal: new AbortController().signal });
    expect((await zone.list(`${TODAY}/`)).length).toBeGreaterThan(2);
    for (const { child } of programs) child.kill('SIGTERM');
    for (const { ended } of programs) expect((await ended).code).toBe(143);
    expect(await fleet.differences()).toEqual([]);
  },
);
