import { usageError } from '../errors.ts';
import { DEFAULT_DAYS, filePrefix, readReportData, projectName, type ReportRequest } from './build-report.ts';
import { readBuilt } from './page.ts';
import { legendRows, chartsOf, rangeOf } from './cards.ts';
import { type Chart, ink } from './chart.ts';
import { markup, wrapText } from './text.ts';
import type { ProjectData } from './read-projects.ts';

export interface PicturesRequest extends ReportRequest {
  format: 'svg' | 'png';
  chart: string | undefined;
}

/**
 * Every chart, or the named one, as a separate picture for mails and slides; without `content` there is nothing to draw, and `noData`
 * has the reason.
 * @throws AnswerlakeError as `buildReport` and `svgToPng`
 */
export async function buildPictures(request: PicturesRequest) {
  const projects = await readReportData(request);
  const pictures = [];
  const prefixes = new Set<string>();
  for (const project of projects) {
    const prefix = filePrefix(project.name, project.id, prefixes);
    const range = rangeOf(project.charts, request.days ?? DEFAULT_DAYS);
    const charts = chartsOf(project.charts, range).filter(({ name }) => (request.chart ?? name) === name);
    for (const chart of charts) {
      const svg = chartPicture(chart, project);
      pictures.push({
        /** Safe on every file system. */
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

const MARGIN = 24;
const FONTS =
  'system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Noto Sans, Liberation Sans, DejaVu Sans, sans-serif';

/** One chart as an SVG document of its own, in light colours, with title, legend and note; null when it has no data. */
export function chartPicture(chart: Chart, project: ProjectData): string | null {
  if (chart.draw === null) return null;
  const size = { width: chart.isWide === true ? 920 : 640 };
  const drawing = chart.draw(size.width);
  const title = textBlock(wrapText(chart.title, size.width, 20), { top: MARGIN, size: 19, isBold: true });
  const subtitle = textBlock(wrapText(`${projectName(project)} · ${chart.subtitle}`, size.width, 13), {
    top: title.bottom + 2,
    size: 13,
  });
  const legend = legendRows(chart.legend, size.width);
  const legendTop = subtitle.bottom + 12;
  const chartTop = legendTop + legend.height + (legend.height === 0 ? 0 : 4);
  const pending =
    chart.tip === undefined || project.pendingFrom === null ? '' : 'Days on a grey ground may still change.';
  const notes = `${chart.note ?? ''} ${pending}`.trim();
  const note = textBlock(notes === '' ? [] : wrapText(notes, size.width, 12), {
    top: chartTop + drawing.height + 10,
    size: 12,
  });
  const width = size.width + 2 * MARGIN;
  const height = Math.ceil(note.bottom + MARGIN - 6);
  const picture = markup`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONTS}" font-size="12" fill="${ink('muted')}" aria-label="${chart.title}. ${chart.description}"><title>${chart.title} · ${projectName(project)}</title><desc>${chart.description}</desc>
<rect width="${width}" height="${height}" fill="${ink('card')}"/>
${title.text}${subtitle.text}<g transform="translate(${MARGIN},${legendTop})">${legend.rows}</g>
<g transform="translate(${MARGIN},${chartTop})">${drawing.marks}</g>
${note.text}</svg>
`;
  return inlineLight(picture.text);
}

/** Charts outside a page have no style sheet: the light colours, first in it, replace the names. */
function inlineLight(svg: string): string {
  const [light = ''] = /:root[^}]*/.exec(readBuilt('page.css')) ?? [];
  const colours = new Map(
    [...light.matchAll(/--(\w+): *(#\w+)/g)].map(([, name = '', colour = '']) => [name, colour]),
  );
  return svg.replaceAll(/var\(--(\w+)\)/g, (name, token: string) => colours.get(token) ?? name);
}

/** Lines of text from `top` down, and where they end. */
function textBlock(lines: readonly string[], place: { top: number; size: number; isBold?: boolean }) {
  const { top, size, isBold = false } = place;
  const step = Math.round(size * 1.35);
  const weight = isBold ? markup` font-weight="bold"` : markup``;
  const colour = ink(isBold ? 'ink' : 'muted');
  const text = lines.map(
    (line, index) =>
      markup`<text x="${MARGIN}" y="${top + index * step + size}" font-size="${size}"${weight} fill="${colour}">${line}</text>`,
  );
  return { text: markup`${text}`, bottom: top + lines.length * step };
}

/** Pixels per unit of the drawing: sharp on slides. */
const SCALE = 2;

/**
 * Draws an SVG document as PNG with the fonts of this machine.
 * @throws AnswerlakeError 'configuration' when this platform has no prebuilt renderer, or the machine no font
 */
export async function svgToPng(svg: string, fonts: { useSystemFonts?: boolean } = {}): Promise<Uint8Array> {
  const { Resvg } = await import('@resvg/resvg-js').catch((cause: unknown) => {
    const what = 'PNG is not available on this platform: @resvg/resvg-js has no prebuilt part for it.';
    const todo = 'Take --format svg.';
    throw usageError([what, todo], cause);
  });
  const options = {
    fitTo: { mode: 'zoom', value: SCALE },
    font: { loadSystemFonts: fonts.useSystemFonts ?? true },
  } as const;
  if (new Resvg(PROBE, options).getBBox() === undefined) {
    throw usageError([
      'PNG needs a font, and this machine has none.',
      'Install one (Debian: apt-get install fonts-dejavu-core) or take --format svg.',
    ]);
  }
  return new Resvg(svg, options).render().asPng();
}

// Without a font, text would be omitted silently.
const PROBE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text x="2" y="15" font-family="sans-serif">Ag</text></svg>';
