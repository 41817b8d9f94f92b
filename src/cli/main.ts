#!/usr/bin/env node
import { realEffects } from '../effects.ts';
import { openProcessIo } from '../terminal/io.ts';
import { runCli } from './program.ts';
import { catchSignals } from '../signals.ts';

const GRACE_MS = 1000;

const { signal } = catchSignals();
const { argv, env } = process;
process.exitCode = await runCli({
  argv: argv.slice(2),
  env,
  effects: realEffects,
  signal,
  io: openProcessIo(env),
});
// Normally the process ends by itself; a handle that something left open must not keep it for ever.
setTimeout(() => process.exit(), GRACE_MS).unref();
