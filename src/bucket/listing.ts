/** One page of `ListObjectsV2`. */
export interface Listing {
  objects: { key: string; bytes: number }[];
  /** The token of the next page; null after the last. */
  next: string | null;
}

/** Reads the XML of a listing; it is flat, and every text in it is escaped. */
export function readListing(xml: string): Listing {
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content = '']) => ({
    key: textOf(content, 'Key') ?? '',
    bytes: Number(textOf(content, 'Size') ?? 0),
  }));
  const isCut = textOf(xml, 'IsTruncated') === 'true';
  return { objects, next: isCut ? textOf(xml, 'NextContinuationToken') : null };
}

function textOf(xml: string, tag: string): string | null {
  const text = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1];
  return text === undefined ? null : unescapeXml(text);
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['amp', '&'],
]);

function unescapeXml(text: string): string {
  return text.replaceAll(/&([#\w]{1,8});/g, (all, name: string) => {
    if (!name.startsWith('#')) return NAMED.get(name) ?? all;
    const code = Number(name.replace('#x', '0x').replace('#', ''));
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
  });
}
