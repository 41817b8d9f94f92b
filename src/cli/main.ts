#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.ts';

const GRACE_MS = 1000;

const { argv, env } = process;
// Only what is imported after this is kept.
keepCompiledCode(env);
const [{ realEffects }, { AnswerlakeError }, { openProcessIo }, { runCli }, { catchSignals, untilAborted }] =
  await Promise.all([
    import('../effects.ts'),
    import('../errors.ts'),
    import('./terminal/io.ts'),
    import('./program.ts'),
    import('../effects.ts'),
  ]);
const { signal } = catchSignals();
const onLost = ({ message }: Error): void => {
  const lost = new AnswerlakeError(
    `The output could not be written: ${message}. Free some space, and run again.`,
    { class: 'storage' },
  );
  process.stderr.write(`error: ${lost.message}\n`);
  process.once('exit', () => {
    process.exitCode = lost.exitCode;
  });
};
const io = openProcessIo(env, onLost);
process.exitCode = await runCli({ argv: argv.slice(2), env, effects: realEffects, signal, io });
// A pipe takes 64 KiB at a time, and its reader may be slow; only a stop by signal does not wait for it.
await Promise.race([io.stdout.flushed(), untilAborted(signal)]);
// An open handle must not keep the process alive for ever.
setTimeout(() => process.exit(), GRACE_MS).unref();
