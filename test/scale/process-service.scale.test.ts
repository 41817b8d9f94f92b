import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openProcessService } from '../../src/daemon/serve/service.ts';
import { secretOf } from '../../src/secret.ts';
import { silentLog } from '../../src/log.ts';
import { freePort } from '../support/scripted-server.ts';
import { Fleet, inDatabase } from './fleet.ts';

test('worker and loader have health and metrics of the queue, whose open rounds KEDA counts', async () => {
  const fleet = await Fleet.open(1);
  await fleet.serve('loader').saw('loader.ready');
  const config = { http: { host: '127.0.0.1', port: await freePort() } };
  const url = secretOf('env:DATABASE_URL', fleet.url);
  await using service = await openProcessService(url, { config, log: silentLog });
  const get = async (path: string): Promise<string> => await (await fetch(service.url + path)).text();
  expect([await get('/healthz'), await get('/readyz')]).toEqual(['ok\n', 'ok\n']);
  let body = '';
  // The next heartbeat of the loader has them.
  while (!body.includes('landing_parts_waiting 0')) body = await get('/metrics');
  expect(body).toContain('answerlake_queue_processes{kind="loader"} 1');
  expect(body).toContain('answerlake_process_resident_memory_bytes');
  expect(body).toMatch(/_heartbeat_timestamp_seconds\{kind="loader",host="[^"]+",process="[^"]+"\} \d{10}/);
  const [, query = ''] = /query: (.*)/.exec(readFileSync('docs/deploy/scale/keda.yaml', 'utf8')) ?? [];
  expect(await inDatabase(fleet.url, query)).toEqual([{ count: '0' }]);
});
