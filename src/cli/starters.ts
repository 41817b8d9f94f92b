import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { readTexts } from '../config/yaml.ts';
import { usageError, shellWord, suggestion } from '../errors.ts';
import { placeFiles, STARTERS_FOLDER, shortPath } from '../files.ts';
import { counted } from '../quantity.ts';
import { someText, valueFlag } from './flags.ts';
import { defined } from './host.ts';

const flagSchema = z.strictObject({
  output: valueFlag('<folder>', 'folder to copy it into (default: starters/NAME)', someText),
});
const ARGUMENT = ['[name]', 'one of them; left out: list them'] as const;

/** `answerlake starters [NAME]`: copies starter files for other tools; needs no configuration. */
export const define = defined({ flags: flagSchema, argument: ARGUMENT }, async (context, flags, words) => {
  const [name] = words;
  const texts = readTexts('starters.yaml');
  const folderOf = (one: string): string => resolve(flags.output ?? join('starters', one));
  if (name === undefined) {
    const starters = Object.entries(texts).map(([one, description]) => ({
      name: one,
      description,
      output: folderOf(one),
    }));
    const rows = starters.map((one) => [one.name, one.description, shortPath(one.output)]);
    context.printResult({ starters }, () => context.table(['name', 'what', 'copied to'], rows));
    context.next(['answerlake starters dbt', 'copy one of them']);
    return;
  }
  const names = Object.keys(texts);
  if (!names.includes(name)) throw usageError(`There is no starter ${name}; ${suggestion(name, names)}`);
  const output = folderOf(name);
  const source = join(STARTERS_FOLDER, name);
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .toSorted()
    .map((file) => ({ file, path: join(output, file), content: readFileSync(join(source, file)) }));
  const missing = files.filter(({ path }) => !existsSync(path));
  const kept = files.filter((one) => !missing.includes(one));
  const differing = kept.filter(({ path, content }) => !readFileSync(path).equals(content));
  if (differing.length > 0)
    throw usageError([
      `${output} has files that differ from the starter's and are never overwritten; nothing was written: ${namesOf(differing).join(', ')}.`,
      'Move them away, or copy the starter to another folder with --output DIR.',
    ]);
  placeFiles(missing);
  const [written, unchanged] = [namesOf(missing), namesOf(kept)];
  context.printChange({ name, output, written, unchanged }, () => {
    const same = kept.length === 0 ? '' : `, ${counted(kept.length, 'file')} there already`;
    return `${shellWord(shortPath(output))}: ${counted(missing.length, 'file')} written${same}`;
  });
});

function namesOf(files: readonly { file: string }[]): string[] {
  return files.map(({ file }) => file);
}
