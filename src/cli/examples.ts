import { minuteOf } from '../quantity.ts';
import { AnswerlakeError } from '../errors.ts';
import { exampleNumbered, readExamples } from '../guide/examples.ts';
import { ageText, type FileAge, staleWords } from '../warehouse/freshness.ts';
import { noFlags } from './flags.ts';
import { defined, type CommandContext } from './host.ts';
import { ageJson } from './status.ts';
import { formatJson } from './terminal/result-format.ts';

const ARGUMENT = ['[number]', 'run this example; left out: list the questions'] as const;

/** `answerlake examples [NUMBER]`: questions with their SQL; runs one of them. Needs no key. */
export const define = defined({ flags: noFlags, argument: ARGUMENT }, async (context, _, words) => {
  const [number] = words;
  if (number === undefined) {
    const examples = readExamples();
    const age = await ageOfPublished(context);
    const listed = examples.map(({ number: place, name, question }) => ({ number: place, name, question }));
    const lines = listed.map((one) => `${String(one.number).padStart(2)}  ${one.question}`);
    context.printResult({ ...(age === null ? {} : ageJson(age)), examples: listed }, () =>
      [...(age === null ? [] : [ageLine(age)]), ...lines].join('\n'),
    );
    context.next(['answerlake examples 1', 'the answer to one of them, with its SQL']);
    return;
  }
  const example = exampleNumbered(number);
  const config = context.loadConfig({ secrets: 'leave' });
  await using file = await context.openPublished(config);
  const result = await file.query(example.sql);
  const age = await context.readAge(file, config);
  if (context.flags.json) {
    const rows: unknown = JSON.parse(formatJson(result));
    const { question, caveat, sql } = example;
    context.printJson({
      ...(age === null ? {} : ageJson(age)),
      number: example.number,
      question,
      caveat,
      sql,
      rows,
    });
    return;
  }
  if (age !== null) context.print(ageLine(age));
  context.print(`${example.question}\n\n${example.sql}\n`);
  context.printTable(result, {});
  context.note(`Caveat: ${example.caveat}`);
});

function ageLine(age: FileAge): string {
  const line = `Figures as of ${minuteOf(age.newestMs)}, ${ageText(age.ageMs)} ago.`;
  return staleWords(age) ?? line;
}

/** The age of the file that the questions query; null without a configuration or a published file, which the list does not need. */
async function ageOfPublished(context: CommandContext): Promise<FileAge | null> {
  try {
    const config = context.loadConfig({ secrets: 'leave' });
    await using file = await context.openPublished(config, { threads: 1 });
    return await context.readAge(file, config);
  } catch (error) {
    if (error instanceof AnswerlakeError) return null;
    throw error;
  }
}
