/** By which folders a dated table is split. */
export const PARTITIONS = ['project-month', 'month'] as const;
export type Partition = (typeof PARTITIONS)[number];
