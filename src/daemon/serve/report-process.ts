import { buildReport } from '../../report/build-report.ts';

// Started by `drawApart` with the path of the published file and the time.
const [path = '', nowMs = ''] = process.argv.slice(2);
process.stdout.write(await buildReport({ path, now: Number(nowMs) }));
