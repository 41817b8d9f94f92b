import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { AnswerlakeError, messageOf } from '../errors.ts';
import { replaceFile, replaceFileByPieces } from '../replace-file.ts';

/** Writes a file in one step, and its folder where there is none. @throws AnswerlakeError (storage) */
export function writeWhole(file: string, content: string | Uint8Array): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, content);
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

/** The same with text that comes in pieces. @throws AnswerlakeError (storage), and what `pieces` throws */
export async function writeWholeByPieces(file: string, pieces: AsyncIterable<string>): Promise<void> {
  try {
    mkdirSync(dirname(file), { recursive: true });
    await replaceFileByPieces(file, pieces);
  } catch (cause) {
    throw cause instanceof AnswerlakeError ? cause : notWritten(file, cause);
  }
}

function notWritten(file: string, cause: unknown): AnswerlakeError {
  return new AnswerlakeError(`${file} cannot be written: ${messageOf(cause)}`, { class: 'storage', cause });
}
