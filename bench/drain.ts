import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import type { BenchRequest } from './server-process.ts';

/** Sends recorded requests and reads every body to its end: what the network and the server alone cost. */
const [origin = '', file = '', concurrency = '8'] = process.argv.slice(2);
const requests = JSON.parse(readFileSync(file, 'utf8')) as BenchRequest[];
const pool = new Pool(origin, { connections: Number(concurrency) });
let next = 0;
let bytes = 0;
const started = performance.now();
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    for (let job = requests[next++]; job !== undefined; job = requests[next++]) {
      const { body } = await pool.request({ method: 'GET', path: job.path, headers: job.headers });
      bytes += (await body.arrayBuffer()).byteLength;
    }
  }),
);
console.log(
  JSON.stringify({ seconds: (performance.now() - started) / 1000, requests: requests.length, bytes }),
);
await pool.close();
