// Control characters are not allowed in XML; direction marks would turn the text around them.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]+/gu;

/** A name on one line, without control characters and lone surrogates. */
export function plainLabel(text: string | null, whenEmpty = '(no name)'): string {
  const plain = (text ?? '').replaceAll(UNPRINTABLE, ' ').replaceAll(/\s+/g, ' ').trim();
  return plain === '' ? whenEmpty : plain;
}

/** Width in pixels of text in the widest of the common sans-serif faces, DejaVu Sans. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width * fontSize;
}

function characterWidth(character: string): number {
  if (/[iljI'.,| ]/.test(character)) return 0.32;
  if (/[tfr:;!()[\]{}/-]/.test(character)) return 0.41;
  if (/[mMW@%]/.test(character)) return 0.99;
  if (/[CDGHNOQU&w]/.test(character)) return 0.8;
  if (/[ABKRVX]/.test(character)) return 0.7;
  if (/[\u1100-\u{10FFFF}]/u.test(character)) return 1.05;
  return 0.62;
}

/** As much of the text as fits into `width` pixels, with an ellipsis when cut. */
export function fitText(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  const room = width - fontSize * 0.8;
  let used = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    used += textWidth(segment, fontSize);
    if (used > room) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines no wider than `width` pixels, cut between words. */
export function wrapText(text: string, width: number, fontSize: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`, fontSize) <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
