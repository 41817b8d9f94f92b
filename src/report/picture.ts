import type { Chart } from './chart.ts';
import { ink } from './ink.ts';
import { plainLabel, wrapText } from './label.ts';
import { legendRows } from './legend.ts';
import { Markup, markup } from './markup.ts';
import { inlineLight } from './palette.ts';
import type { ProjectData } from './report-data.ts';

const MARGIN = 24;
const FONTS =
  'system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Noto Sans, Liberation Sans, DejaVu Sans, sans-serif';

/** One chart as an SVG document of its own, in light colours, with title, legend and note; null when it has no data. */
export function chartPicture(chart: Chart, project: ProjectData): string | null {
  if (chart.draw === null) return null;
  const size = { width: chart.isWide === true ? 920 : 640 };
  const drawing = chart.draw(size.width);
  const projectName = plainLabel(project.name, plainLabel(project.id));
  const title = textBlock(wrapText(chart.title, size.width, 20), { top: MARGIN, size: 19, isBold: true });
  const subtitle = textBlock(wrapText(`${projectName} · ${chart.subtitle}`, size.width, 13), {
    top: title.bottom + 2,
    size: 13,
  });
  const legend = legendRows(chart.legend, size.width);
  const legendTop = subtitle.bottom + 12;
  const chartTop = legendTop + legend.height + (legend.height === 0 ? 0 : 4);
  const note = textBlock(noteLines(chart, project, size.width), {
    top: chartTop + drawing.height + 10,
    size: 12,
  });
  const width = size.width + 2 * MARGIN;
  const height = Math.ceil(note.bottom + MARGIN - 6);
  const picture = markup`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONTS}" font-size="12" fill="${ink('muted')}" aria-label="${chart.title}. ${chart.description}"><title>${chart.title} · ${projectName}</title><desc>${chart.description}</desc>
<rect width="${width}" height="${height}" fill="${ink('card')}"/>
${title.text}${subtitle.text}<g transform="translate(${MARGIN},${legendTop})">${legend.rows}</g>
<g transform="translate(${MARGIN},${chartTop})">${drawing.marks}</g>
${note.text}</svg>
`;
  return inlineLight(picture.text);
}

function noteLines(chart: Chart, project: ProjectData, width: number): string[] {
  const notes = [
    ...(chart.note === undefined || chart.note === '' ? [] : [chart.note]),
    ...(chart.tip !== undefined && project.pendingFrom !== null
      ? ['Days on a grey ground may still change.']
      : []),
  ];
  return notes.length === 0 ? [] : wrapText(notes.join(' '), width, 12);
}

interface Block {
  top: number;
  size: number;
  isBold?: boolean;
}

/** Lines of text from `top` down, and where they end. */
function textBlock(lines: readonly string[], { top, size, isBold }: Block): { text: Markup; bottom: number } {
  const step = Math.round(size * 1.35);
  const weight = isBold === true ? markup` font-weight="bold"` : markup``;
  const colour = ink(isBold === true ? 'ink' : 'muted');
  const text = lines.map(
    (line, index) =>
      markup`<text x="${MARGIN}" y="${top + index * step + size}" font-size="${size}"${weight} fill="${colour}">${line}</text>`,
  );
  return { text: markup`${text}`, bottom: top + lines.length * step };
}
