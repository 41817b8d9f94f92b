import { drawPage } from './report-page.ts';

// Started by `drawApart` with the path of the published file, the time, and the project if it is one alone.
const [path = '', nowMs = '', projectId] = process.argv.slice(2);
process.stdout.write(await drawPage(path, { nowMs: Number(nowMs), projectId }));
