import { createHash } from 'node:crypto';
import { openDatabase } from '../warehouse/database.ts';
import { markup, type Markup } from './markup.ts';
import { overviewPage, reportPage } from './page.ts';
import { nameOf } from './project-section.ts';
import { readProjects } from './read-projects.ts';
import type { ProjectData } from './report-data.ts';

/** Days shown unless asked otherwise. */
export const DEFAULT_DAYS = 90;

/** More projects than these get a page each, and an overview. */
const MAX_TOGETHER = 6;

export interface ReportRequest {
  /** The published file; it is opened read-only. */
  path: string;
  /** One project; every project when left out. */
  projectId?: string | undefined;
  /** Days shown first, the newest last; 90 when left out, 0: all. */
  days?: number | undefined;
  /** Milliseconds since the epoch: when the page says it was written. */
  now: number;
  /** Where the page of a project is found, for the overview of many; without it the overview has no links. */
  pageOf?: (projectId: string) => string;
}

/** One file of a report. */
export interface ReportFile {
  /** Beside the first file, with slashes; null: the first file itself. */
  name: string | null;
  html: string;
}

/**
 * The report as one self-contained HTML document that needs no network, no other file and no JavaScript; of more than
 * a handful of projects the overview alone.
 * @throws AnswerlakeError 'configuration' for a project the file has not, 'storage' when the file cannot be read
 */
export async function buildReport(request: ReportRequest): Promise<string> {
  const projects = await readReportData(request);
  const frame = { now: request.now, days: request.days ?? DEFAULT_DAYS };
  return projects.length <= MAX_TOGETHER
    ? reportPage(projects, frame)
    : overviewPage(projects, frame, (project) => linkTo(project, request.pageOf?.(project.id)));
}

/**
 * The report as files: one, or of more than a handful of projects an overview and a page a project in `folder`, which
 * lies beside the overview.
 * @throws AnswerlakeError as `buildReport`
 */
export async function* buildReportFiles(request: ReportRequest, folder: string): AsyncGenerator<ReportFile> {
  const projects = await readReportData(request);
  const frame = { now: request.now, days: request.days ?? DEFAULT_DAYS };
  if (projects.length <= MAX_TOGETHER) {
    yield { name: null, html: reportPage(projects, frame) };
    return;
  }
  const taken = new Set<string>();
  const names = projects.map(({ name, id }) => `${folder}/${filePrefix(name, id, taken)}.html`);
  for (const [index, project] of projects.entries()) {
    yield { name: names[index] ?? '', html: reportPage([project], frame) };
  }
  // Last, so that its links lead somewhere.
  yield {
    name: null,
    html: overviewPage(projects, frame, (project, index) => linkTo(project, encodeURI(names[index] ?? ''))),
  };
}

function linkTo(project: ProjectData, address: string | undefined): Markup {
  const name = markup`<bdi>${nameOf(project)}</bdi>`;
  return address === undefined ? name : markup`<a class="open" href="${address}">${name}</a>`;
}

/** What the report is drawn from. @throws AnswerlakeError as `buildReport` */
export async function readReportData({ path, projectId, now }: ReportRequest): Promise<ProjectData[]> {
  await using database = await openDatabase({ path, readOnly: true });
  const connection = await database.connect();
  return await readProjects(connection, { projectId, now });
}

/** A name for a project's files, safe on every file system, and not among `taken`, where it is added. */
export function filePrefix(name: string | null, id: string, taken: Set<string>): string {
  const words = (name ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  const code = createHash('sha256').update(id).digest('hex').slice(0, 8);
  const prefix = words === '' ? `project-${code}` : taken.has(words) ? `${words}-${code}` : words;
  taken.add(prefix);
  return prefix;
}
