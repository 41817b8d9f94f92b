import { cancel, intro, isCancel, outro, text } from '@clack/prompts';
import { AnswerlakeError } from '../errors.ts';

/** One thing that `init` needs to know. */
export interface Question {
  /** The flag that answers it without asking. */
  flag: string;
  message: string;
  placeholder: string;
  /** Taken when nothing is typed. */
  fallback?: string;
  /** Says what is wrong with an answer. */
  problem: (answer: string) => string | undefined;
}

/** Asks on the terminal. @throws AnswerlakeError 'stopped' when it was cancelled */
export async function askQuestions(questions: readonly Question[]): Promise<Map<string, string>> {
  intro('answerlake: a new configuration');
  const answers = new Map<string, string>();
  for (const question of questions) {
    const answer = await text({
      message: question.message,
      placeholder: question.placeholder,
      ...(question.fallback === undefined ? {} : { defaultValue: question.fallback }),
      validate: (typed) => problemOf(question, typed ?? ''),
    });
    if (isCancel(answer)) {
      cancel('Nothing was written.');
      throw new AnswerlakeError('Cancelled; nothing was written.', { class: 'stopped' });
    }
    answers.set(question.flag, answer.trim());
  }
  outro('Writing the files.');
  return answers;
}

function problemOf({ fallback, problem }: Question, typed: string): string | undefined {
  const answer = typed.trim() === '' ? fallback : typed.trim();
  if (answer === undefined) return 'Please type an answer.';
  const found = problem(answer);
  return found === undefined ? undefined : `It ${found}`;
}
