/** Reads the XML of one page of `ListObjectsV2`: its objects, what objects begin with up to the delimiter, and the token of the next page, null after the last. It is flat, and every text in it is escaped. */
export function readListing(xml: string) {
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content = '']) => ({
    key: textOf(content, 'Key') ?? '',
    bytes: Number(textOf(content, 'Size') ?? 0),
  }));
  const folders = [...xml.matchAll(/<CommonPrefixes>(.*?)<\/CommonPrefixes>/gs)].map(
    ([, content = '']) => textOf(content, 'Prefix') ?? '',
  );
  const isCut = textOf(xml, 'IsTruncated') === 'true';
  return { objects, folders, next: isCut ? textOf(xml, 'NextContinuationToken') : null };
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** The text of the first element of a name, unescaped. */
export function textOf(xml: string, tag: string): string | null {
  const text = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? null;
  if (text === null) return null;
  return text.replaceAll(/&([#\w]{1,8});/g, (all, name: string) => {
    if (!name.startsWith('#')) return NAMED[name] ?? all;
    return String.fromCodePoint(Number(name.replace('#x', '0x').replace('#', '')));
  });
}
