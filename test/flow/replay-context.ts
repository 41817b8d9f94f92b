import { silentLog } from '../../src/log.ts';
import type { SyncContext } from '../../src/run/sync-request.ts';
import type { Rig } from './rig.ts';

/** A replay of what the rig has archived. */
export function replayContext({ config, effects }: Rig): SyncContext {
  return { config, effects, log: silentLog, signal: new AbortController().signal, version: '0.0.0' };
}
