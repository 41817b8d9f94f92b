import { messageOf } from '../errors.ts';
import { closeWorkingFile, type WorkingFile } from '../warehouse/working-file.ts';
import type { SyncContext } from './sync-request.ts';

/** Closes the working file, smaller where that pays. That it could not be made smaller is no reason to call a run a failure. */
export async function closeFile(
  working: WorkingFile,
  { log, signal }: Pick<SyncContext, 'log' | 'signal'>,
): Promise<void> {
  try {
    const compaction = await closeWorkingFile(working, { signal });
    if (compaction === null) return;
    const { bytesBefore, bytesAfter } = compaction;
    log.info('working_file.compacted', { bytes_before: bytesBefore, bytes_after: bytesAfter });
  } catch (error) {
    log.warn('working_file.not_compacted', { error: messageOf(error) });
  }
}
