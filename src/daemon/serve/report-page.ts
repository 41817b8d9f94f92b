import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import type { ReportRequest } from '../../report/build-report.ts';
import type { ProjectsRequest } from '../../report/read-projects.ts';

/** Gives a report of the published file as HTML: of one project, or of all of them, of many an overview. */
type ReportPage = (request: ProjectsRequest) => Promise<string>;

const LONGEST_MS = 120_000;
const LARGEST_BYTES = 256 * 1024 * 1024;
/** Pages kept in memory: a reader looks at few projects of a file that has many. */
const MAX_PAGES = 16;

/** The report, drawn once for each published file, hour and project, because it says how old it is; those who ask at the same time wait for the same one. */
export function cachedReport(path: string, draw: ReportPage): ReportPage {
  let version = '';
  const pages = new Map<string | undefined, Promise<string>>();
  return async (request) => {
    const { ino, mtimeMs, size } = statSync(path);
    const current = [ino, mtimeMs, size, new Date(request.now).toISOString().slice(0, 13)].join(' ');
    if (current !== version) pages.clear();
    version = current;
    const { projectId } = request;
    const known = pages.get(projectId);
    if (known !== undefined) return await known;
    const [oldest] = pages.keys();
    if (pages.size >= MAX_PAGES) pages.delete(oldest);
    const html = draw(request);
    pages.set(projectId, html);
    // A failure is not kept: the next one who asks tries again.
    html.catch(() => {
      if (pages.get(projectId) === html) pages.delete(projectId);
    });
    return await html;
  };
}

/** The published file, and the heading of its report. */
type ReportSource = Pick<ReportRequest, 'path' | 'title' | 'logo'>;

/** The address of a project's page, beside the overview. */
export const pageOf = (project: string): string => `?${new URLSearchParams({ project }).toString()}`;

/** Draws in this process; the process of `drawApart` calls it by its name. @throws AnswerlakeError as `buildReport` */
export async function drawPage(source: ReportSource, request: ProjectsRequest): Promise<string> {
  const { buildReport } = await import('../../report/build-report.ts');
  return await buildReport({ ...source, ...request, pageOf });
}

const DRAW =
  'const [module, ...parts] = process.argv.slice(1); const { drawPage } = await import(module); process.stdout.write(await drawPage(...parts.map((part) => JSON.parse(part))));';

/** Draws in a process of its own: charts take seconds of computing, and the scheduler must not wait for them. */
export function drawApart(source: ReportSource): ReportPage {
  return async (request) => {
    // Sources are run by tests alone.
    if (import.meta.url.endsWith('.ts')) return await drawPage(source, request);
    const parts = [import.meta.url, JSON.stringify(source), JSON.stringify(request)];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', DRAW, ...parts],
      { env: {}, timeout: LONGEST_MS, maxBuffer: LARGEST_BYTES },
    );
    return stdout;
  };
}
