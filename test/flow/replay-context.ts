import { silentLog } from '../../src/log.ts';
import type { ReplayContext } from '../../src/replay/replay.ts';
import type { Rig } from './rig.ts';

/** A replay of what the rig has archived. */
export function replayContext({ config, effects }: Rig): ReplayContext {
  return { config, effects, log: silentLog, signal: new AbortController().signal, version: '0.0.0' };
}
