import nodeModule from 'node:module';
import { join } from 'node:path';

const GRACE_MS = 1000;
const EXIT_STORAGE = 7;

const { argv, env } = process;
const keepCompiled: ((folder: string) => unknown) | undefined = Reflect.get(nodeModule, 'enableCompileCache');
// From Node 22 on, before the other imports. Who can write the cache runs code as this user, so it is in the user's own folder.
if (env['HOME']) keepCompiled?.(join(env['HOME'], '.cache', 'answerlake'));
const [{ catchSignals, realEffects, untilAborted }, { openProcessIo }, { runCli }] = await Promise.all([
  import('../effects.ts'),
  import('./terminal/io.ts'),
  import('./program.ts'),
]);
const { signal } = catchSignals();
const onLost = ({ message }: Error): void => {
  process.stderr.write(
    `error: The output could not be written: ${message}. Free some space, and run again.\n`,
  );
  process.once('exit', () => {
    process.exitCode = EXIT_STORAGE;
  });
};
const io = openProcessIo(env, onLost);
const [, script, ...words] = argv;
process.exitCode = await runCli({ argv: words, env, effects: realEffects, signal, io, script });
// A pipe takes 64 KiB at a time, and its reader may be slow; only a stop by signal does not wait for it.
await Promise.race([io.stdout.flushed(), untilAborted(signal)]);
// An open handle must not keep the process alive.
setTimeout(() => process.exit(), GRACE_MS).unref();
