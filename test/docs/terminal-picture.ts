const COLUMN_PX = 8.4;
const LINE_PX = 19;
const FONT_PX = 14;
const EDGE_PX = 16;
/** Viewers draw several blanks as one. */
const NO_BREAK_SPACE = '\u00A0';

/** A terminal as SVG: each line has the width of its characters, whatever the font. Lines that begin with `$` are typed. */
export function terminalPicture(lines: readonly string[]): string {
  const columns = Math.max(...lines.map(({ length }) => length));
  const width = Math.ceil(columns * COLUMN_PX) + 2 * EDGE_PX;
  const height = lines.length * LINE_PX + 2 * EDGE_PX;
  const texts = lines.flatMap((line, row) => {
    if (line.trim() === '') return [];
    const y = EDGE_PX + row * LINE_PX + FONT_PX;
    const isTyped = line.startsWith('$');
    const length = Math.round(line.length * COLUMN_PX);
    return `  <text x="${EDGE_PX}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${isTyped ? ' font-weight="bold"' : ''}>${escaped(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="#16181d"/>
<g fill="#d7dae0" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_PX}">
${texts.join('\n')}
</g>
</svg>
`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(' ', NO_BREAK_SPACE);
}
