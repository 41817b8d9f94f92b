import { DEFAULT_DAYS, readReportData, type ReportRequest } from './build-report.ts';
import type { ChartName } from './chart.ts';
import { chartsOf, rangeOf } from './charts.ts';
import { filePrefix } from './file-prefix.ts';
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
    const prefix = filePrefix(project.name, project.id, prefixes);
    const range = rangeOf(project.charts, request.days ?? DEFAULT_DAYS);
    const charts = chartsOf(project.charts, range).filter(({ name }) => (request.chart ?? name) === name);
    for (const chart of charts) {
      const svg = chartPicture(chart, project);
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
