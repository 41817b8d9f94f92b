import { inflateSync } from 'node:zlib';

/** Text as a PDF keeps it: without spaces, which are positions there, ligatures, and letters that a font lacks. */
export function onPaper(text: string): string {
  return text.normalize('NFKD').replaceAll(/[^!-~]/g, '');
}

/** The text of each page of a PDF that Chromium wrote, as `onPaper`. */
export function pageTexts(pdf: Buffer): string[] {
  const bytes = pdf.toString('latin1');
  const objects = new Map(
    [...bytes.matchAll(/(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj/gs)].map(([, id = '', body = '']) => [id, body]),
  );
  const content = (id: string): string => {
    const [, packed = ''] = /stream\n(.*)\nendstream/s.exec(objects.get(id) ?? '') ?? [];
    return inflateSync(Buffer.from(packed, 'latin1')).toString('latin1');
  };
  const fonts = new Map<string, Map<number, string>>();
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\n/.test(body));
  return pages.map((page) => {
    for (const [, name = '', id = ''] of page.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const [, map] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '') ?? [];
      if (map !== undefined) fonts.set(name, lettersOf(content(map)));
    }
    const [, contents = ''] = /\/Contents (\d+) 0 R/.exec(page) ?? [];
    let font = '';
    let text = '';
    for (const [, name, glyphs = ''] of content(contents).matchAll(
      /\/(F\d+) [\d.]+ Tf|<([\dA-F]+)> T[jJ]/g,
    )) {
      font = name ?? font;
      for (const [glyph] of glyphs.matchAll(/.{4}/g))
        text += fonts.get(font)?.get(Number.parseInt(glyph, 16)) ?? '';
    }
    return onPaper(text);
  });
}

/** The letters of a font's glyphs. */
function lettersOf(map: string): Map<number, string> {
  const letters = new Map<number, string>();
  for (const [, first = '', last = first, code = ''] of map.matchAll(
    /^<(\w{4})>(?: <(\w{4})>)? <(\w{4})>$/gm,
  )) {
    const from = Number.parseInt(first, 16);
    for (let glyph = from; glyph <= Number.parseInt(last, 16); glyph += 1)
      letters.set(glyph, String.fromCodePoint(Number.parseInt(code, 16) + glyph - from));
  }
  return letters;
}
