import type { Zone } from '../landing/zone.ts';
import type { Heartbeat } from '../queue/heartbeat.ts';
import type { RunReport, SyncContext, SyncRequest } from '../../run/sync-request.ts';
import type { Secret } from '../../secret.ts';

export interface LoaderRequest {
  context: SyncContext;
  url: Secret;
  zone: Zone;
  heartbeat?: Heartbeat | undefined;
  /** Around each run: notifications. */
  telling?: (request: SyncRequest, run: () => Promise<RunReport>) => Promise<RunReport>;
}
