import { AnswerlakeError } from '../errors.ts';

/** Pixels per unit of the drawing: sharp on slides. */
const SCALE = 2;

/**
 * Draws an SVG document as PNG with the fonts of this machine.
 * @throws AnswerlakeError 'configuration' when this platform has no prebuilt renderer, or the machine no font
 */
export async function svgToPng(svg: string, fonts: { useSystemFonts?: boolean } = {}): Promise<Uint8Array> {
  const { Resvg } = await loadRenderer();
  const options = {
    fitTo: { mode: 'zoom', value: SCALE },
    font: { loadSystemFonts: fonts.useSystemFonts ?? true },
  } as const;
  if (new Resvg(PROBE, options).getBBox() === undefined) {
    throw new AnswerlakeError(
      'PNG needs a font, and this machine has none. Install one (Debian: apt-get install fonts-dejavu-core) or take --format svg.',
      { class: 'configuration' },
    );
  }
  return new Resvg(svg, options).render().asPng();
}

// Without a font, text is left out without a word.
const PROBE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text x="2" y="15" font-family="sans-serif">Ag</text></svg>';

async function loadRenderer(): Promise<typeof import('@resvg/resvg-js')> {
  try {
    return await import('@resvg/resvg-js');
  } catch (cause) {
    throw new AnswerlakeError(
      'PNG is not available on this platform: @resvg/resvg-js has no prebuilt part for it. Take --format svg.',
      { class: 'configuration', cause },
    );
  }
}
