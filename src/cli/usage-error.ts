import { AnswerlakeError } from '../errors.ts';

/** What was asked for makes no sense: exit 2, nothing was touched. */
export function usageError(message: string): AnswerlakeError {
  return new AnswerlakeError(message, { class: 'configuration' });
}
