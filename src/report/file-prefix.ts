import { createHash } from 'node:crypto';

/** A name for a project's files, safe on every file system, and not among `taken`, where it is added. */
export function filePrefix(name: string | null, id: string, taken: Set<string>): string {
  const words = (name ?? '')
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
