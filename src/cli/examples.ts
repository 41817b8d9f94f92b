import type { Command } from 'commander';
import { exampleNumbered, readExamples } from '../guide/examples.ts';
import { noFlags } from './flags.ts';
import type { CommandHost } from './host.ts';
import { terminalWidth } from './terminal/io.ts';
import { formatJson, formatResultTable } from './terminal/result-format.ts';

const HELP = `  $ answerlake examples
  $ answerlake examples 22`;

/** `answerlake examples [NUMBER]`: questions with their SQL; one of them is run. Needs no key. */
export function define(command: Command, host: CommandHost): void {
  command.argument('[number]', 'run this example; left out: list the questions');
  host.handle({ command, flags: noFlags, help: HELP }, async (context, _, words) => {
    const [number] = words;
    if (number === undefined) {
      const examples = readExamples();
      context.printResult(
        {
          examples: examples.map(({ number: place, name, question }) => ({ number: place, name, question })),
        },
        () => examples.map((one) => `${String(one.number).padStart(2)}  ${one.question}`).join('\n'),
      );
      context.next(['answerlake examples 1', 'the answer to one of them, with its SQL']);
      return 0;
    }
    const example = exampleNumbered(number);
    const config = context.loadConfig({ secrets: 'leave' });
    const { openPublishedFile } = await import('../publish/published-file.ts');
    await using file = await openPublishedFile(config.warehouse.path, { signal: context.signal });
    const result = await file.query(example.sql);
    const { stdout } = context.io;
    if (context.flags.json) {
      stdout.write(formatJson(result));
      return 0;
    }
    context.print(`${example.question}\n\n${example.sql}\n`);
    stdout.write(formatResultTable(result, { width: terminalWidth(stdout) }));
    context.note(`Caveat: ${example.caveat}`);
    return 0;
  });
}
