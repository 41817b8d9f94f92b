#!/usr/bin/env node
import nodeModule from 'node:module';
import { join } from 'node:path';

const GRACE_MS = 1000;
const EXIT_STORAGE = 7;

const { argv, env } = process;
// Before the other imports: only modules that load after this are kept.
keepCompiledCode();
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

/**
 * Keeps compiled code between starts if Node can (22.8 and newer): `status` starts up to a tenth faster. The cache is in the
 * user's own folder, because a process that can write it runs code as this user; NODE_DISABLE_COMPILE_CACHE=1 turns it off.
 */
function keepCompiledCode(): void {
  const enable: unknown = Reflect.get(nodeModule, 'enableCompileCache');
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = env;
  const caches = XDG_CACHE_HOME || LOCALAPPDATA || (HOME ? join(HOME, '.cache') : '');
  if (typeof enable !== 'function' || caches === '') return;
  Reflect.apply(enable, nodeModule, [join(caches, 'answerlake')]);
}
