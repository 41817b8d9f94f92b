import { catchSignals, realEffects, untilAborted } from '../effects.ts';
import { openOutput } from './terminal/io.ts';
import { runCli } from './program.ts';

const GRACE_MS = 1000;
const EXIT_STORAGE = 7;

const { argv, env } = process;
const { signal } = catchSignals();
const onLost = ({ message }: Error): void => {
  process.stderr.write(
    `error: The output could not be written: ${message}. Free some space, and run again.\n`,
  );
  process.once('exit', () => {
    process.exitCode = EXIT_STORAGE;
  });
};
const io = {
  stdout: openOutput(process.stdout, env, onLost),
  stderr: openOutput(process.stderr, env),
  isInteractive: process.stdin.isTTY && process.stdout.isTTY,
};
const [, script, ...words] = argv;
process.exitCode = await runCli({ argv: words, env, effects: realEffects, signal, io, script });
// A pipe accepts 64 KiB at a time, and its reader may be slow; only a stop by signal does not wait for it.
await Promise.race([io.stdout.flushed(), untilAborted(signal)]);
// An open handle must not keep the process alive.
setTimeout(() => process.exit(), GRACE_MS).unref();
