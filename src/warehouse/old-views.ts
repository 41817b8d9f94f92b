import { AnswerlakeError, messageOf } from '../errors.ts';

/** A report and the status ask for tables and views of their own version; the file may wait for its first publish after an update. */
export function explainOldViews(error: unknown): unknown {
  if (!/(?:^|: )(?:binder|catalog) error/i.test(messageOf(error))) return error;
  const message =
    'The published file is of another version of answerlake: run answerlake publish, and try again.';
  return new AnswerlakeError(message, { class: 'storage', cause: error });
}
