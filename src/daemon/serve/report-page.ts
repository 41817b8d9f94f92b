import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { ReportRequest } from '../../report/build-report.ts';
import type { Page } from '../../report/page.ts';
import type { ProjectsRequest } from '../../report/read-projects.ts';

/** Draws a report of the published file: of one project, or of all; of many projects, an overview. */
type DrawPage = (request: ProjectsRequest) => Promise<Page>;

const LONGEST_MS = 120_000;
const LARGEST_BYTES = 256 * 1024 * 1024;
/** Pages kept in memory: readers view few projects of a large file. */
const MAX_PAGES = 16;

/** The report, drawn once per published file, hour and project, because it contains its age; concurrent requests share one drawing. */
export function cachedReport(path: string, draw: DrawPage): DrawPage {
  const pages = new Map<string, Promise<Page>>();
  return async (request) => {
    const { ino, mtimeMs, size } = statSync(path);
    const hour = new Date(request.now).toISOString().slice(0, 13);
    const key = [ino, mtimeMs, size, hour, request.projectId].join(' ');
    const known = pages.get(key);
    if (known !== undefined) return await known;
    const [oldest = ''] = pages.keys();
    if (pages.size >= MAX_PAGES) pages.delete(oldest);
    const page = draw(request);
    pages.set(key, page);
    // A failure is not cached: the next request tries again.
    page.catch(() => pages.delete(key));
    return await page;
  };
}

/** The published file, and the heading of its report. */
type ReportSource = Pick<ReportRequest, 'path' | 'title' | 'logo'>;

/** The address of a project's page, beside the overview. */
export const pageOf = (project: string): string => `?${new URLSearchParams({ project }).toString()}`;

/** Draws in this process; the process of `drawApart` calls it by name. @throws AnswerlakeError as `drawReport` */
export async function drawPage(source: ReportSource, request: ProjectsRequest): Promise<Page> {
  const { drawReport } = await import('../../report/build-report.ts');
  return await drawReport({ ...source, ...request, pageOf });
}

const pageSchema = z.object({ before: z.string(), main: z.string(), after: z.string(), policy: z.string() });

const DRAW =
  'const [module, ...parts] = process.argv.slice(1); const { drawPage } = await import(module); process.stdout.write(JSON.stringify(await drawPage(...parts.map((part) => JSON.parse(part)))));';

/** Draws in a separate process: charts take seconds of computing, and the scheduler must not wait. */
export function drawApart(source: ReportSource): DrawPage {
  return async (request) => {
    // Only tests run from source.
    if (import.meta.url.endsWith('.ts')) return await drawPage(source, request);
    const parts = [import.meta.url, JSON.stringify(source), JSON.stringify(request)];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', DRAW, ...parts],
      { env: {}, timeout: LONGEST_MS, maxBuffer: LARGEST_BYTES },
    );
    return pageSchema.parse(JSON.parse(stdout));
  };
}
