import { openDatabase } from '../warehouse/database.ts';
import { DEFAULT_DAYS } from './chart.ts';
import { reportPage } from './page.ts';
import { readProjects, type ProjectData } from './project-data.ts';

export interface ReportRequest {
  /** The published file; it is opened read-only. */
  path: string;
  /** One project; every project when left out. */
  projectId?: string | undefined;
  /** Days shown, the newest last; 90 when left out. */
  days?: number | undefined;
  /** Milliseconds since the epoch: when the page says it was written. */
  now: number;
}

/**
 * The report as one self-contained HTML document: it needs no network, no other file and no JavaScript.
 * @throws AnswerlakeError 'configuration' for a project the file has not, 'storage' when the file cannot be read
 */
export async function buildReport(request: ReportRequest): Promise<string> {
  return await reportPage(await readReportData(request), request.now);
}

/** What the charts are drawn from. @throws AnswerlakeError as `buildReport` */
export async function readReportData({ path, projectId, days, now }: ReportRequest): Promise<ProjectData[]> {
  await using database = await openDatabase({ path, readOnly: true });
  const connection = await database.connect();
  return await readProjects(connection, { projectId, days: days ?? DEFAULT_DAYS, now });
}
