import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { AnswerlakeError, messageOf } from '../errors.ts';
import { replaceFile } from '../replace-file.ts';

/** Writes a file in one step, and its folder where there is none. @throws AnswerlakeError (storage) */
export function writeWhole(file: string, content: string | Uint8Array): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, content);
  } catch (cause) {
    throw new AnswerlakeError(`${file} cannot be written: ${messageOf(cause)}`, { class: 'storage', cause });
  }
}
