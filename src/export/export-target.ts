/** A place that holds an export: a folder, or a prefix of a bucket. Names are relative to it, with slashes. */
export interface ExportTarget extends AsyncDisposable {
  /** For messages. */
  name: string;
  /** A folder for what is being written. */
  staging: string;
  /** Every file and its size. */
  list(): Promise<ReadonlyMap<string, number>>;
  /** Null: there is no such file. */
  readText(name: string): Promise<string | null>;
  writeText(name: string, text: string): Promise<void>;
  /** Takes files from the staging folder. */
  take(names: readonly string[]): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
}
