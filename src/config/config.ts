import type { Day, Grain } from '../day.ts';
import type { Secret } from '../secret.ts';
import type { Scope, WindowKind } from '../slice.ts';

/** What one endpoint does differently from the defaults. */
export interface EndpointSettings {
  enabled?: boolean;
  path?: string;
  /** Renames: our parameter name → the name to send. */
  parameters?: Record<string, string>;
  limit?: number;
  maxWindowDays?: number;
  scopes?: readonly Scope[];
  grains?: readonly Grain[];
  windows?: readonly WindowKind[];
}

export interface AccountConfig {
  name: string;
  apiKey: Secret;
  projects: 'all' | readonly string[];
}

/** The configuration, checked and complete: no option is optional any more. */
export interface Config {
  /** Absolute path of the file it was read from. */
  path: string;
  /** Folder that relative paths in it start from. */
  directory: string;
  api: {
    /** Origin only, no trailing slash. */
    baseUrl: string;
    /** 0 = no ceiling. */
    requestsPerMinute: number;
    /** Share of the hourly quota left to other people, 0..1. */
    reserveQuota: number;
    concurrency: number;
    /** Total deadline of one request. */
    timeoutMs: number;
    /** Tries of one request, the first included. */
    attempts: number;
    maxBodyBytes: number;
  };
  accounts: readonly AccountConfig[];
  sync: {
    startDate: Day;
    lookbackDays: number;
    /** Endpoint name → scopes; an endpoint that is not named has `project` only. */
    scopes: Readonly<Record<string, readonly Scope[]>>;
    grains: readonly Grain[];
    windows: readonly WindowKind[];
    timezone: string;
    maxPromptLookups: number;
    endpoints: Readonly<Record<string, EndpointSettings>>;
  };
  warehouse: { path: string; storageVersion: string };
  raw: { dir: string; keepDays: number };
  http: { host: string; port: number };
  notify: { webhook: Secret | null };
  jobsDir: string;
}
