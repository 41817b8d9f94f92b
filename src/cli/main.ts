#!/usr/bin/env node
import { keepCompiledCode } from './compile-cache.ts';

const GRACE_MS = 1000;
const STORAGE = 7;

const { argv, env } = process;
// Only what is imported after this is kept.
keepCompiledCode(env);
const [{ realEffects }, { openProcessIo }, { runCli }, { catchSignals }] = await Promise.all([
  import('../effects.ts'),
  import('../terminal/io.ts'),
  import('./program.ts'),
  import('../signals.ts'),
]);
const { signal } = catchSignals();
const onLost = ({ message }: Error): void => {
  process.stderr.write(
    `error: The output could not be written: ${message}. Free some space, and run again.\n`,
  );
  process.once('exit', () => {
    process.exitCode = STORAGE;
  });
};
process.exitCode = await runCli({
  argv: argv.slice(2),
  env,
  effects: realEffects,
  signal,
  io: openProcessIo(env, onLost),
});
// Normally the process ends by itself; a handle that something left open must not keep it for ever.
setTimeout(() => process.exit(), GRACE_MS).unref();
