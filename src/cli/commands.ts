import type { Command } from 'commander';
import type { CommandHost } from './host.ts';

/** Gives a command its arguments, flags, examples and handler. */
export type DefineCommand = (command: Command, host: CommandHost) => void;

export interface CommandEntry {
  name: string;
  description: string;
  /** The file of a command is loaded only when the command line names it. */
  load: () => Promise<DefineCommand>;
  /** True when it reads what the other commands declare. */
  needsAll?: true;
}

/** Every command, in the order in which help lists them. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    description: 'Write answerlake.yaml and the jobs folder',
    load: async () => (await import('./init.ts')).defineInit,
  },
  {
    name: 'check',
    description: 'Check configuration, keys, quota, files and disk',
    load: async () => (await import('./check.ts')).defineCheck,
  },
  {
    name: 'plan',
    description: 'Show what a sync would request, and how long it would take',
    load: async () => (await import('./plan.ts')).definePlan,
  },
  {
    name: 'sync',
    description: 'Pull everything that is due, once, and publish it',
    load: async () => (await import('./sync.ts')).defineSync,
  },
  {
    name: 'schedule',
    description: 'Run the jobs folder by cron, until stopped',
    load: async () => (await import('./schedule.ts')).defineSchedule,
  },
  {
    name: 'queue',
    description: 'Runs through workers: set up, start, watch, pause, try again',
    load: async () => (await import('./queue.ts')).defineQueue,
  },
  {
    name: 'worker',
    description: 'Ask for what the queue hands out, until stopped',
    load: async () => (await import('./worker.ts')).defineWorker,
  },
  {
    name: 'loader',
    description: 'Load what workers land, plan and publish, until stopped',
    load: async () => (await import('./loader.ts')).defineLoader,
  },
  {
    name: 'status',
    description: 'Last runs, freshness, quota, rejects, drift, gaps',
    load: async () => (await import('./status.ts')).defineStatus,
  },
  {
    name: 'gaps',
    description: 'Expected days that are not covered; exit 3 if any',
    load: async () => (await import('./gaps.ts')).defineGaps,
  },
  {
    name: 'query',
    description: 'Ask the published file, read-only',
    load: async () => (await import('./query.ts')).defineQuery,
  },
  {
    name: 'report',
    description: 'Charts from the published file: one offline HTML page, or a picture per chart',
    load: async () => (await import('./report.ts')).defineReport,
  },
  {
    name: 'export',
    description: 'Parquet files, by project and month',
    load: async () => (await import('./export.ts')).defineExport,
  },
  {
    name: 'replay',
    description: 'Rebuild the warehouse from the raw archive',
    load: async () => (await import('./replay.ts')).defineReplay,
  },
  {
    name: 'publish',
    description: 'Publish the working file now',
    load: async () => (await import('./publish.ts')).definePublish,
  },
  {
    name: 'draft',
    description: 'Push a content document to a CMS as a draft',
    load: async () => (await import('./draft.ts')).defineDraft,
  },
  {
    name: 'simulate',
    description: 'Run the API on this machine, without a key',
    load: async () => (await import('./simulate.ts')).defineSimulate,
  },
  {
    name: 'demo',
    description: 'A year of three invented brands, without a key',
    load: async () => (await import('./demo.ts')).defineDemo,
  },
  {
    name: 'completion',
    description: 'Completion script for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).defineCompletion,
    needsAll: true,
  },
];
