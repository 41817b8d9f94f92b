import { randomBytes } from 'node:crypto';

const RUN_ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

/** Unique, and sorts by time. */
export function newRunId(startedAt: number): string {
  const stamp = new Date(startedAt).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  return `${stamp}Z-${randomBytes(4).toString('hex')}`;
}

/** True for a text that `newRunId` may have made. */
export function isRunId(text: string): boolean {
  return RUN_ID.test(text);
}
