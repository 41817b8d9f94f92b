import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openProcessService } from '../../src/daemon/serve/service.ts';
import { secretOf } from '../../src/secret.ts';
import { silentLog } from '../../src/log.ts';
import { inDatabase } from './in-database.ts';
import { freePort } from '../support/scripted-server.ts';
import { startOrganizations } from './organizations.ts';
import { Fleet } from './fleet.ts';

async function get(url: string, path: string): Promise<{ status: number; body: string }> {
  // The second service has the port of the first, whose connections are closed.
  const answer = await fetch(url + path, { headers: { connection: 'close' } });
  return { status: answer.status, body: await answer.text() };
}

test('worker and loader have health and metrics of the queue; a port that is taken is named', async () => {
  await using organizations = await startOrganizations(1, { today: '2026-03-01' });
  const fleet = await Fleet.open({ organizations, startDate: '2026-02-20' });
  const config = { http: { host: '127.0.0.1', port: await freePort() } };
  const url = secretOf('env:DATABASE_URL', fleet.url);
  const loader = fleet.start(['loader']);
  await loader.saw('loader.ready');
  {
    await using service = await openProcessService(url, { config, log: silentLog });
    const at = service.url;
    expect(await get(at, '/healthz')).toEqual({ status: 200, body: 'ok\n' });
    expect(await get(at, '/readyz')).toEqual({ status: 200, body: 'ok\n' });
    let { body } = await get(at, '/metrics');
    // The next heartbeat of the loader has them.
    while (!body.includes('landing_parts_waiting')) ({ body } = await get(at, '/metrics'));
    expect(body).toContain('answerlake_queue_processes{kind="loader"} 1');
    expect(body).toContain('answerlake_process_resident_memory_bytes');
    for (const name of ['waiting', 'repeated', 'refused'])
      expect(body).toContain(`answerlake_landing_parts_${name} 0`);
    expect(body).toMatch(
      /answerlake_queue_heartbeat_timestamp_seconds\{kind="loader",host="[^"]+",process="[^"]+"\} \d{10}/,
    );
    const [, query = ''] = /query: (.*)/.exec(readFileSync('docs/deploy/scale/keda.yaml', 'utf8')) ?? [];
    expect(await inDatabase(fleet.url, query)).toEqual([{ count: '0' }]);
    await expect(openProcessService(url, { config, log: silentLog })).rejects.toThrow(
      /is taken by another program/,
    );
  }
  loader.child.kill('SIGTERM');
  await loader.ended;
});
