import { AnswerlakeError } from '../errors.ts';

/** The error of a command that needs a published file. */
export function noPublishedFile(path: string): AnswerlakeError {
  const message = `There is no published file at ${path} yet. Run answerlake sync, or name another configuration with --config FILE.`;
  return new AnswerlakeError(message, { class: 'storage' });
}
