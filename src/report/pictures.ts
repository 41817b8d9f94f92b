import { createHash } from 'node:crypto';
import { chartsOf } from './all-charts.ts';
import { readReportData, type ReportRequest } from './build-report.ts';
import type { ChartName } from './chart.ts';
import { chartPicture } from './picture.ts';
import { svgToPng } from './png.ts';

export interface Picture {
  /** `<project>-<chart>.<format>`, safe on every file system. */
  fileName: string;
  projectId: string;
  chart: ChartName;
  /** Null when there is nothing to draw; then `noData` says why. */
  content: string | Uint8Array | null;
  noData: string;
}

export interface PictureRequest extends ReportRequest {
  format: 'svg' | 'png';
  /** One chart; all when left out. */
  chart?: ChartName | undefined;
}

/** Every chart as a picture of its own, for mails and slides. @throws AnswerlakeError as `buildReport` and `svgToPng` */
export async function buildPictures(request: PictureRequest): Promise<Picture[]> {
  const projects = await readReportData(request);
  const pictures: Picture[] = [];
  const prefixes = new Set<string>();
  for (const project of projects) {
    const prefix = uniquePrefix(project.name ?? '', project.id, prefixes);
    const charts = chartsOf(project).filter(({ name }) => (request.chart ?? name) === name);
    for (const chart of charts) {
      const svg = await chartPicture(chart, project);
      pictures.push({
        fileName: `${prefix}-${chart.name}.${request.format}`,
        projectId: project.id,
        chart: chart.name,
        content: svg === null || request.format === 'svg' ? svg : await svgToPng(svg),
        noData: chart.noData,
      });
    }
  }
  return pictures;
}

function uniquePrefix(name: string, id: string, taken: Set<string>): string {
  const words = name
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
