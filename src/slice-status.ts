/** Statuses of an answer that counts: its slice is not asked again before it is due. The build renders them into the views. */
export const ANSWERED_STATUSES = ['loaded', 'empty', 'not_enabled', 'truncated'] as const;

/** What the ledger says of a slice; a suspicious answer is not loaded. */
export const SLICE_STATUSES = [...ANSWERED_STATUSES, 'suspicious', 'failed'] as const;
export type SliceStatus = (typeof SLICE_STATUSES)[number];

/** The answered statuses as an SQL list. */
export const ANSWERED_LIST = ANSWERED_STATUSES.map((status) => `'${status}'`).join(', ');
