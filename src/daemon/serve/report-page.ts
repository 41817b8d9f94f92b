import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dayOf } from '../../day.ts';

/** Gives the report of the published file as HTML. */
export type ReportPage = (nowMs: number) => Promise<string>;

const LONGEST_MS = 120_000;
const LARGEST_BYTES = 256 * 1024 * 1024;

/** The report, drawn once for each published file and day; those who ask at the same time wait for the same one. */
export function cachedReport(path: string, draw: ReportPage): ReportPage {
  let known: { key: string; html: Promise<string> } | null = null;
  return async (nowMs) => {
    const { ino, mtimeMs, size } = statSync(path);
    const key = [ino, mtimeMs, size, dayOf(nowMs)].join(' ');
    if (known?.key !== key) {
      const html = draw(nowMs);
      known = { key, html };
      // A failure is not kept: the next one who asks tries again.
      html.catch(() => {
        if (known?.html === html) known = null;
      });
    }
    return await known.html;
  };
}

/** Draws in a process of its own: charts take seconds of computing, and the scheduler must not wait for them. */
export function drawApart(path: string): ReportPage {
  const script = fileURLToPath(import.meta.url).replace(/report-page\.(ts|js)$/, 'report-process.$1');
  return async (nowMs) => {
    if (script.endsWith('.ts')) {
      const { buildReport } = await import('../../report/build-report.ts');
      return await buildReport({ path, now: nowMs });
    }
    const { stdout } = await promisify(execFile)(process.execPath, [script, path, String(nowMs)], {
      env: {},
      timeout: LONGEST_MS,
      maxBuffer: LARGEST_BYTES,
    });
    return stdout;
  };
}
